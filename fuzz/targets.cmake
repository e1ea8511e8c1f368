fuzz_target(weights ROOMS model_dir diffusion checksums base)
fuzz_target(config ROOMS model_dir diffusion checksums base)
fuzz_target(tokenizer ROOMS text base)
fuzz_target(sentences ROOMS text base)
fuzz_target(rows APPS common input ROOMS text base
            SOURCES apps/common/messages.cpp apps/input/json_row.cpp apps/input/sentence_cutter.cpp)
