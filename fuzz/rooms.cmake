# What the targets stand on, as in src/; the kernels are the scalar ones.
fuzz_room(base
  src/base/error.cpp src/base/json_text.cpp src/base/printable.cpp src/base/utf8.cpp
  src/base/version.cpp src/base/workers.cpp src/base/write_stderr.cpp src/base/xml_text.cpp
  src/files/atomic_file.cpp src/files/loaded_file.cpp src/files/read_file.cpp
  src/files/regular_file.cpp src/files/replace_folder.cpp src/files/shipped_files.cpp
  ALONE src/files/byte_range.cpp)
target_compile_definitions(fuzz_room_base PRIVATE DIFFIE_VERSION="${PROJECT_VERSION}"
                                                  DIFFIE_INSTALLED_DATA="")
target_link_libraries(fuzz_room_base PRIVATE ${CMAKE_DL_LIBS})

fuzz_room(text
  src/text/abbreviations.cpp src/text/blocks.cpp src/text/break_rules.cpp src/text/lowercase.cpp
  src/text/mark_run.cpp src/text/piece_trie.cpp src/text/sentence.cpp src/text/sentences.cpp
  src/text/text_encoder.cpp src/text/tokenizer.cpp src/text/unicode_tables.cpp
  src/text/vocabulary.cpp src/text/white_space.cpp
  ALONE src/text/ptb.cpp src/text/sentence_breaker_icu.cpp)
target_link_libraries(fuzz_room_text PRIVATE ICU::uc)

fuzz_room(checksums src/checksums/sha256.cpp src/checksums/sha256sums.cpp)
target_link_libraries(fuzz_room_checksums PRIVATE OpenSSL::Crypto)

fuzz_room(diffusion
  src/diffusion/anchored_decoder.cpp src/diffusion/diffusion_config.cpp src/diffusion/posterior.cpp
  src/diffusion/predictor.cpp src/diffusion/random.cpp src/diffusion/sampler.cpp
  src/diffusion/schedule.cpp src/settings/fields.cpp src/settings/settings.cpp)

fuzz_room(model_dir
  src/files/strict_json.cpp src/model_dir/expected_tensors.cpp src/model_dir/find_model.cpp
  src/model_dir/half_float.cpp src/model_dir/inspect_model.cpp src/model_dir/model_config.cpp
  src/model_dir/preset_json.cpp src/model_dir/safetensors.cpp src/model_dir/tensor_check.cpp
  src/model_dir/tensor_values.cpp src/model_dir/vocabulary.cpp
  ALONE src/model_dir/model_dir.cpp)

fuzz_room(extract
  src/extract/bags.cpp src/extract/candidate_set.cpp src/extract/cluster.cpp
  src/extract/coverage.cpp src/extract/fact_walk.cpp src/extract/features.cpp
  src/extract/frequency.cpp src/extract/learned.cpp src/extract/ranker.cpp
  src/extract/selector.cpp src/extract/similarity.cpp src/extract/spans.cpp src/extract/tidy.cpp
  src/extract/tree_ensemble.cpp src/extract/word_kind.cpp)

fuzz_room(output
  src/output/brat_writer.cpp src/output/circumstance_text.cpp src/output/corenlp_writer.cpp
  src/output/document_places.cpp src/output/formats.cpp src/output/graphml_writer.cpp
  src/output/hipporag_writer.cpp src/output/html_writer.cpp src/output/json_parts.cpp
  src/output/jsonl.cpp src/output/lightrag_writer.cpp src/output/line_writer.cpp
  src/output/marks.cpp src/output/neo4j_writer.cpp src/output/node.cpp src/output/output.cpp
  src/output/plain_words.cpp src/output/rdf_terms.cpp src/output/rdf_writer.cpp
  src/output/safe_name.cpp src/output/xml_text.cpp)

fuzz_room(readers
  src/lab/data/conllu.cpp src/lab/data/csv.cpp src/lab/data/rows.cpp src/lab/pools/tag_pool.cpp
  src/lab/score/readers/bracketed.cpp src/lab/score/readers/clausie.cpp
  src/lab/score/readers/gold.cpp src/lab/score/readers/jsonl.cpp
  src/lab/score/readers/lines.cpp src/lab/score/readers/ollie.cpp
  src/lab/score/readers/openie.cpp src/lab/score/readers/reverb.cpp
  src/lab/score/readers/sink.cpp src/lab/score/readers/tabbed.cpp src/lab/score/sentence_key.cpp
  ALONE src/lab/score/readers/wire57.cpp)

fuzz_room(reshape
  src/reshape/circumstances.cpp src/reshape/collective.cpp src/reshape/coordination.cpp
  src/reshape/line.cpp src/reshape/omissions.cpp src/reshape/place.cpp src/reshape/reshape.cpp
  src/reshape/word_lists.cpp src/facts/factuality.cpp src/facts/governor.cpp
  src/facts/lexicon.cpp src/facts/orders.cpp src/facts/outline.cpp src/facts/phrases.cpp
  src/facts/reader.cpp src/facts/units.cpp
  ALONE src/facts/verb_group.cpp src/reshape/time.cpp src/reshape/time_core.cpp)

fuzz_room(model
  src/model/cpu_backend.cpp src/model/dealing_backend.cpp src/model/denoiser.cpp
  src/model/encoder.cpp src/model/layers.cpp src/model/workspace.cpp src/ops/attention.cpp src/ops/attention_reference.cpp
  src/ops/cpu_kernels.cpp src/ops/embedding.cpp src/ops/gelu.cpp src/ops/gemm.cpp
  src/ops/gemm_int8.cpp src/ops/gemm_int8_reference.cpp src/ops/gemm_reference.cpp
  src/ops/input_pairs.cpp src/ops/layer_norm.cpp src/ops/packed_matrix.cpp
  ALONE src/model/judge.cpp src/model/row_network.cpp src/ops/packed_int8.cpp)

fuzz_room(engine
  src/engine/denoiser_predictor.cpp src/engine/device.cpp src/engine/engine.cpp
  src/engine/extractor.cpp src/engine/judging.cpp src/engine/memory_limit.cpp src/engine/model.cpp
  src/engine/model_parts.cpp src/engine/passage.cpp src/engine/passage_tags.cpp src/engine/quote.cpp
  src/engine/recording.cpp src/engine/row_index.cpp src/engine/stage_times.cpp
  src/engine/verify_model.cpp src/engine/work_plan.cpp src/lab/models/init_model.cpp
  src/lab/models/model_dir_write.cpp src/lab/models/quantize.cpp
  src/lab/models/random_weights.cpp src/lab/models/safetensors_write.cpp)

fuzz_room(capi
  src/capi/extractor.cpp src/capi/guard.cpp src/capi/model.cpp src/capi/result.cpp
  src/capi/settings.cpp src/capi/text.cpp src/capi/version.cpp)
