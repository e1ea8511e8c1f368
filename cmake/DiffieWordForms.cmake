# Inflection for the `recover` aligner: Snowball's stemmer (Debian libstemmer-dev) and WordNet's lists
# of irregular forms (Debian wordnet-base). Both or none; without them words match as spelled only.

set(DIFFIE_WORDNET_DIR "/usr/share/wordnet" CACHE PATH "Directory of WordNet's verb.exc and noun.exc")

# Writes the sorted pairs {"form", "lemma"}, from lines `form lemma [lemma ...]`.
function(diffie_irregular_forms output)
  set(pairs "")
  foreach(list verb noun)
    file(STRINGS "${DIFFIE_WORDNET_DIR}/${list}.exc" lines)
    foreach(line IN LISTS lines)
      if(line MATCHES "^([a-z]+) ([a-z]+)")
        list(APPEND pairs "{\"${CMAKE_MATCH_1}\", \"${CMAKE_MATCH_2}\"},")
      endif()
    endforeach()
  endforeach()
  list(SORT pairs)
  list(REMOVE_DUPLICATES pairs)
  list(JOIN pairs "\n" text)
  file(CONFIGURE OUTPUT "${output}" CONTENT "${text}\n" @ONLY)
endfunction()

function(diffie_use_word_forms target)
  find_path(DIFFIE_STEMMER_INCLUDE libstemmer.h)
  find_library(DIFFIE_STEMMER_LIBRARY stemmer)
  if(DIFFIE_STEMMER_INCLUDE AND DIFFIE_STEMMER_LIBRARY AND EXISTS "${DIFFIE_WORDNET_DIR}/verb.exc"
     AND EXISTS "${DIFFIE_WORDNET_DIR}/noun.exc")
    set(generated "${PROJECT_BINARY_DIR}/generated/data")
    diffie_irregular_forms("${generated}/irregular_forms.inc")
    target_include_directories(${target} PRIVATE "${generated}")
    target_include_directories(${target} SYSTEM PRIVATE "${DIFFIE_STEMMER_INCLUDE}")
    target_link_libraries(${target} PRIVATE "${DIFFIE_STEMMER_LIBRARY}")
    target_compile_definitions(${target} PRIVATE DIFFIE_WORD_FORMS)
  else()
    message(STATUS "libstemmer or WordNet's irregular forms not found: aligning without inflection")
  endif()
endfunction()
