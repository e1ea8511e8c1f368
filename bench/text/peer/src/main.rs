// The Rust `tokenizers` crate on the same task as tokenizer_bench.cpp: ids and offsets of every line,
// one thread. Usage: tokenizer-peer VOCAB TEXT ROUNDS; prints one MB/s figure per round.
use std::time::Instant;
use tokenizers::models::wordpiece::WordPiece;
use tokenizers::normalizers::bert::BertNormalizer;
use tokenizers::pre_tokenizers::bert::BertPreTokenizer;
use tokenizers::processors::template::TemplateProcessing;
use tokenizers::{AddedToken, Tokenizer};

fn bert(vocab: &str) -> tokenizers::Result<Tokenizer> {
    let mut tokenizer = Tokenizer::new(WordPiece::from_file(vocab).build()?);
    tokenizer.with_normalizer(Some(BertNormalizer::default()))?;
    tokenizer.with_pre_tokenizer(Some(BertPreTokenizer));
    let specials = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"];
    tokenizer.add_special_tokens(specials.map(|token| AddedToken::from(token, true)))?;
    let template = TemplateProcessing::builder()
        .try_single("[CLS] $A [SEP]")?
        .special_tokens(vec![("[CLS]", 101), ("[SEP]", 102)])
        .build()?;
    tokenizer.with_post_processor(Some(template));
    Ok(tokenizer)
}

fn main() -> tokenizers::Result<()> {
    let args: Vec<String> = std::env::args().collect();
    let tokenizer = bert(&args[1])?;
    let text = std::fs::read_to_string(&args[2])?;
    let lines: Vec<&str> = text.split_terminator('\n').collect();
    for _ in 0..args[3].parse::<usize>()? {
        let start = Instant::now();
        let (mut pieces, mut check) = (0usize, 0usize);
        for line in &lines {
            let encoding = tokenizer.encode(*line, true)?; // byte offsets: the cheaper kind
            pieces += encoding.get_ids().len();
            check = encoding
                .get_ids()
                .iter()
                .zip(encoding.get_offsets())
                .fold(check, |sum, (id, (begin, end))| {
                    sum.wrapping_mul(31).wrapping_add(*id as usize + 7 * begin + 13 * end)
                });
        }
        let seconds = start.elapsed().as_secs_f64();
        println!("{:.3} {} {}", text.len() as f64 / 1e6 / seconds, pieces, check);
    }
    Ok(())
}
