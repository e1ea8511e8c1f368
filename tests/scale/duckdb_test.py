"""SELECT * FROM openie(...) in DuckDB."""

from __future__ import annotations

import duckdb
import pytest

import corpus
import diffie.duckdb


@pytest.fixture(scope="module")
def connection() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    diffie.duckdb.register(connection, model="small")
    connection.register("documents", corpus.documents(200))
    return connection


def test_same_triples_as_alone(connection):
    wanted = corpus.alone(corpus.documents(200))
    found = connection.sql("""SELECT *, NULL::VARCHAR AS error_code, NULL::VARCHAR AS error_message
                              FROM openie('documents')""").to_arrow_table()
    errors = connection.sql("SELECT * FROM openie_errors('documents')").fetchall()
    assert [row[:2] for row in errors] == [(f"doc-{corpus.POISON:07}", None)]
    corpus.assert_same(found, wanted.filter(wanted["error_code"].is_null()))


def test_any_relation_with_the_columns(connection):
    connection.execute("CREATE VIEW one AS SELECT 7 AS id, 'Marie Curie discovered polonium.' AS text")
    found = connection.sql("SELECT document_id, subject, relation, object FROM openie('one')").fetchall()
    assert found == [("7", "Marie Curie", "discovered", "polonium")]


def test_other_columns_under_another_name(connection):
    diffie.duckdb.register(connection, "facts", text_column="body", id_column="key", top_k=1)
    connection.execute("CREATE TABLE notes AS SELECT 'n' AS key, unnest(['Ada wrote a program.', NULL, '']) AS body")
    assert connection.sql("SELECT subject FROM facts('notes')").fetchall() == [("Ada",)]
    assert len(connection.sql("SELECT * FROM facts_errors('notes')").fetchall()) == 1
