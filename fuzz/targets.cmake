fuzz_target(weights ROOMS model_dir diffusion checksums base)
fuzz_target(config ROOMS model_dir diffusion checksums base)
fuzz_target(tokenizer ROOMS text base)
fuzz_target(sentences ROOMS text base)
fuzz_target(rows APPS common input ROOMS text base
            SOURCES apps/input/json_row.cpp apps/input/sentence_cutter.cpp)
fuzz_target(ranker ROOMS extract model_dir diffusion checksums base)
fuzz_target(scores ROOMS readers model_dir diffusion checksums text base)
fuzz_target(options APPS common ROOMS diffusion base LIBS CLI11::CLI11 -Wl,--gc-sections -Wl,-z,start-stop-gc
            SOURCES apps/common/display_width.cpp apps/common/nearest.cpp
                    apps/common/settings_options.cpp apps/common/usage.cpp)
fuzz_target(output APPS cli common ROOMS output reshape extract checksums text base
            SOURCES apps/cli/pretty.cpp apps/common/display_width.cpp)
fuzz_target(journal APPS . cli ROOMS checksums base
            SOURCES apps/cli/journal.cpp apps/cli/result_record.cpp)
fuzz_target(capi ROOMS capi engine reshape model extract diffusion model_dir checksums text base)

# clang 14 does not compile Boost's coroutines: what a request is made of, without the sessions.
find_package(Boost 1.74 QUIET)
if(Boost_FOUND)
  fuzz_target(http APPS server common LIBS Boost::headers ROOMS model_dir diffusion checksums base
              SOURCES apps/common/writer_options.cpp apps/server/accept.cpp apps/server/authority.cpp
                      apps/server/corenlp.cpp apps/server/extract_request.cpp apps/server/http_error.cpp apps/server/message.cpp
                      apps/server/request_head.cpp)
  target_compile_options(fuzz_http PRIVATE -include utility)
endif()

if(TARGET diffie_arrow)
  set(input apps/input/byte_source.cpp apps/input/file_bytes.cpp apps/input/gzip_missing.cpp
            apps/input/packed_bytes.cpp apps/input/text_source.cpp apps/input/zstd_missing.cpp)
  fuzz_target(tables APPS . common input tables LIBS diffie_arrow ROOMS base
              SOURCES ${input} apps/tables/table_source.cpp)
endif()
