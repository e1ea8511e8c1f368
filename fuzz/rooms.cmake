# What the targets stand on, as in src/; the kernels are the scalar ones.
fuzz_room(base diffie base files ALONE files/byte_range.cpp files/strict_json.cpp)
target_compile_definitions(fuzz_room_base PRIVATE DIFFIE_VERSION="${PROJECT_VERSION}"
                                                  DIFFIE_INSTALLED_DATA="")
target_link_libraries(fuzz_room_base PRIVATE ${CMAKE_DL_LIBS})

fuzz_room(text diffie text ALONE text/ptb.cpp text/sentence_breaker_icu.cpp)
target_link_libraries(fuzz_room_text PRIVATE ICU::uc)

fuzz_room(checksums diffie checksums)
target_link_libraries(fuzz_room_checksums PRIVATE OpenSSL::Crypto)

fuzz_room(diffusion diffie diffusion settings)
fuzz_room(model_dir diffie model_dir ALONE model_dir/model_dir.cpp)
fuzz_room(extract diffie extract)
fuzz_room(output diffie output)
fuzz_room(readers
  diffie_lab lab/score/readers lab/score/sentence_key.cpp lab/pools/tag_pool.cpp
             lab/data/conllu.cpp lab/data/csv.cpp lab/data/rows.cpp
  ALONE lab/score/readers/registry.cpp lab/score/readers/wire57.cpp)
fuzz_room(reshape diffie reshape facts
  ALONE facts/verb_group.cpp reshape/time.cpp reshape/time_core.cpp)
fuzz_room(model diffie model ops
  ALONE model/judge.cpp model/row_network.cpp ops/packed_int8.cpp)
fuzz_room(engine diffie engine diffie_models lab/models ALONE lab/models/convert_model.cpp)
fuzz_room(capi diffie capi)
