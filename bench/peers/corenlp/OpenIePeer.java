// Stanford CoreNLP's OpenIE on sentences, one a line, words separated by white space.
//   java -cp 'JARS/*:CLASSES' OpenIePeer IN OUT.tsv THREADS [PASSES]
// Writes triples in CaRB's tabbed form and prints one JSON line. Loading and a first small call are not counted.
import edu.stanford.nlp.ie.util.RelationTriple;
import edu.stanford.nlp.ling.CoreAnnotations;
import edu.stanford.nlp.naturalli.NaturalLogicAnnotations;
import edu.stanford.nlp.pipeline.Annotation;
import edu.stanford.nlp.pipeline.StanfordCoreNLP;
import edu.stanford.nlp.util.CoreMap;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;

public class OpenIePeer {
  static List<Annotation> annotate(StanfordCoreNLP pipeline, List<String> sentences, int threads) {
    List<Annotation> annotations = new ArrayList<>();
    for (String sentence : sentences) annotations.add(new Annotation(sentence));
    pipeline.annotate(annotations, threads);
    return annotations;
  }

  static void write(PrintWriter out, String sentence, Annotation annotation) {
    for (CoreMap part : annotation.get(CoreAnnotations.SentencesAnnotation.class)) {
      for (RelationTriple triple : part.get(NaturalLogicAnnotations.RelationTriplesAnnotation.class)) {
        out.printf(Locale.ROOT, "%s\t%s\t%s\t%s\t%s%n", sentence, triple.confidenceGloss().replace(',', '.'),
            triple.relationGloss(), triple.subjectGloss(), triple.objectGloss());
      }
    }
  }

  public static void main(String[] args) throws Exception {
    int threads = Integer.parseInt(args[2]);
    int passes = args.length > 3 ? Integer.parseInt(args[3]) : 1;
    List<String> sentences = Files.readAllLines(Path.of(args[0]), StandardCharsets.UTF_8);
    Properties properties = new Properties();
    properties.setProperty("annotators", "tokenize,ssplit,pos,lemma,depparse,natlog,openie");
    properties.setProperty("tokenize.whitespace", "true");
    properties.setProperty("ssplit.isOneSentence", "true");
    long begin = System.nanoTime();
    StanfordCoreNLP pipeline = new StanfordCoreNLP(properties);
    annotate(pipeline, sentences.subList(0, Math.min(64, sentences.size())), threads);
    double start = (System.nanoTime() - begin) / 1e9;
    double best = Double.MAX_VALUE;
    List<Annotation> annotations = null;
    for (int pass = 0; pass < passes; ++pass) {
      begin = System.nanoTime();
      annotations = annotate(pipeline, sentences, threads);
      best = Math.min(best, (System.nanoTime() - begin) / 1e9);
    }
    try (PrintWriter out = new PrintWriter(args[1], StandardCharsets.UTF_8)) {
      for (int i = 0; i < sentences.size(); ++i) write(out, sentences.get(i), annotations.get(i));
    }
    System.out.printf(Locale.ROOT,
        "{\"peer\": \"corenlp\", \"version\": \"4.5.10\", \"threads\": %d, \"sentences\": %d, \"seconds\": %.3f, "
            + "\"sentences_per_s\": %.3f, \"start_s\": %.3f, \"passes\": %d}%n",
        threads, sentences.size(), best, sentences.size() / best, start, passes);
  }
}
