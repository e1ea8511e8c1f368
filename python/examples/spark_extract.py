"""Triples of a table of documents, by Spark:

    spark-submit --master ... python/examples/spark_extract.py docs.parquet triples.parquet --parts 100

Stopped on the way and started again it goes on where it was.
"""

import argparse

from pyspark.sql import SparkSession

import diffie.spark


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("documents", help="Parquet or JSON lines with columns id and text")
    parser.add_argument("output")
    parser.add_argument("--model", default="small", help="name, or a path that every machine has")
    parser.add_argument("--preset", default=None)
    parser.add_argument("--parts", type=int, default=1, help="jobs that are committed one by one")
    parser.add_argument("--partitions", type=int, default=None, help="tasks of a part")
    given = parser.parse_args()

    spark = SparkSession.builder.appName("diffie").getOrCreate()
    reader = spark.read.json if ".json" in given.documents else spark.read.parquet
    metrics = diffie.spark.Metrics(spark)
    diffie.spark.write(reader(given.documents), given.output, parts=given.parts, partitions=given.partitions,
                       metrics=metrics, model=given.model, preset=given.preset)
    triples, errors = diffie.spark.read(spark, given.output)
    print(f"{triples.count()} triples, {errors.count()} errors; this run: {metrics.counts}")


if __name__ == "__main__":
    main()
