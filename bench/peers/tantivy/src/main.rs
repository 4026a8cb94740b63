//! What does Tantivy take for the same questions? Two commands over stdin, driven by bench/questions/topk_inprocess.ts.
//!
//!   index DIR   lines {"id", "body"} are documents, {"delete": id} a death, {"commit": true} ends a segment (no merges)
//!   serve DIR   a line per question, a line of JSON in answer:
//!     {"ask": "load", "queries": [{"kind": "or"|"and"|"phrase", "words": [...]}]}   -> {"docs", "segments", "bytes"}
//!     {"ask": "answers"}                                     -> [{"ids", "scores", "total"}] of the ten best
//!     {"ask": "time", "mode": "top"|"exact"|"two"|"fetch", "repeat": n, "from": i, "to": j} -> µs of each run of queries i to j
//!
//! `exact` counts all matches beside the ten best in one pass, `two` in a second one (each is faster for some queries);
//! `fetch` is `exact` and reads the ten documents. Times include the look-up of terms and nothing of this protocol. Scores are Tantivy's: BM25 with the factor (k1 + 1).

use serde_json::{Value as Json, json};
use std::hint::black_box;
use std::io::{BufRead, Write, stdin, stdout};
use std::time::Instant;
use tantivy::collector::{Count, TopDocs};
use tantivy::merge_policy::NoMergePolicy;
use tantivy::query::{BooleanQuery, Occur, PhraseQuery, Query, TermQuery};
use tantivy::schema::*;
use tantivy::tokenizer::{LowerCaser, SimpleTokenizer, TextAnalyzer};
use tantivy::{Index, IndexWriter, Searcher, TantivyDocument, Term};

const K: usize = 10;
const WRITER_BYTES: usize = 2_000_000_000;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let outcome = match args.get(1).map(String::as_str) {
        Some("index") if args.len() == 3 => index(&args[2]),
        Some("serve") if args.len() == 3 => serve(&args[2]),
        _ => {
            eprintln!("usage: tantivy-peer index DIR | serve DIR");
            std::process::exit(2);
        }
    };
    if let Err(error) = outcome {
        eprintln!("{error}");
        std::process::exit(1);
    }
}

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn schema() -> (Schema, Field, Field) {
    let mut builder = Schema::builder();
    let indexing = TextFieldIndexing::default()
        .set_tokenizer("words")
        .set_index_option(IndexRecordOption::WithFreqsAndPositions);
    let id = builder.add_text_field("id", STRING | FAST | STORED);
    let body = builder.add_text_field("body", TextOptions::default().set_stored().set_indexing_options(indexing));
    (builder.build(), id, body)
}

fn register(index: &Index) {
    let words = TextAnalyzer::builder(SimpleTokenizer::default()).filter(LowerCaser).build();
    index.tokenizers().register("words", words);
}

fn index(dir: &str) -> Outcome {
    std::fs::create_dir_all(dir)?;
    let (schema, id, body) = schema();
    let index = Index::create_in_dir(dir, schema)?;
    register(&index);
    let mut writer: IndexWriter = index.writer_with_num_threads(1, WRITER_BYTES)?;
    writer.set_merge_policy(Box::new(NoMergePolicy));
    for line in stdin().lock().lines() {
        let line: Json = serde_json::from_str(&line?)?;
        if let Some(dead) = line["delete"].as_str() {
            writer.delete_term(Term::from_field_text(id, dead));
        } else if line["commit"] == true {
            writer.commit()?;
        } else {
            let mut document = TantivyDocument::default();
            document.add_text(id, line["id"].as_str().ok_or("a document without id")?);
            document.add_text(body, line["body"].as_str().ok_or("a document without body")?);
            writer.add_document(document)?;
        }
    }
    writer.commit()?;
    writer.wait_merging_threads()?;
    Ok(())
}

fn query_of(question: &Json, body: Field) -> Box<dyn Query> {
    let words = question["words"].as_array().cloned().unwrap_or_default();
    let terms: Vec<Term> = words.iter().filter_map(Json::as_str).map(|w| Term::from_field_text(body, w)).collect();
    let single = |term: Term| Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs)) as Box<dyn Query>;
    match (question["kind"].as_str(), terms.len()) {
        (Some("phrase"), _) => Box::new(PhraseQuery::new(terms)),
        (_, 1) => single(terms[0].clone()),
        (kind, _) => {
            let occur = if kind == Some("and") { Occur::Must } else { Occur::Should };
            Box::new(BooleanQuery::new(terms.into_iter().map(|t| (occur, single(t))).collect()))
        }
    }
}

fn answer(searcher: &Searcher, query: &dyn Query) -> Result<Json, Box<dyn std::error::Error>> {
    let (top, total) = searcher.search(query, &(TopDocs::with_limit(K).order_by_score(), Count))?;
    let mut ids = Vec::new();
    let mut scores = Vec::new();
    for (score, address) in top {
        let reader = searcher.segment_reader(address.segment_ord);
        let column = reader.fast_fields().str("id")?.ok_or("no column of ids")?;
        let mut id = String::new();
        let ord = column.term_ords(address.doc_id).next().ok_or("a document without id")?;
        column.ord_to_str(ord, &mut id)?;
        ids.push(id);
        scores.push(score);
    }
    Ok(json!({ "ids": ids, "scores": scores, "total": total }))
}

fn time(searcher: &Searcher, query: &dyn Query, mode: &str) -> Result<f64, Box<dyn std::error::Error>> {
    let start = Instant::now();
    match mode {
        "top" => {
            black_box(searcher.search(query, &TopDocs::with_limit(K).order_by_score())?);
        }
        "exact" => {
            black_box(searcher.search(query, &(TopDocs::with_limit(K).order_by_score(), Count))?);
        }
        "two" => {
            black_box(searcher.search(query, &TopDocs::with_limit(K).order_by_score())?);
            black_box(searcher.search(query, &Count)?);
        }
        _ => {
            let (top, total) = searcher.search(query, &(TopDocs::with_limit(K).order_by_score(), Count))?;
            for (_, address) in top {
                black_box(searcher.doc::<TantivyDocument>(address)?);
            }
            black_box(total);
        }
    }
    Ok(start.elapsed().as_nanos() as f64 / 1e3)
}

fn serve(dir: &str) -> Outcome {
    let index = Index::open_in_dir(dir)?;
    register(&index);
    let body = index.schema().get_field("body")?;
    let searcher = index.reader()?.searcher();
    let mut queries: Vec<Box<dyn Query>> = Vec::new();
    for line in stdin().lock().lines() {
        let question: Json = serde_json::from_str(&line?)?;
        let reply = match question["ask"].as_str() {
            Some("load") => {
                let list = question["queries"].as_array().cloned().unwrap_or_default();
                queries = list.iter().map(|q| query_of(q, body)).collect();
                let bytes: u64 = std::fs::read_dir(dir)?.flatten().flat_map(|e| e.metadata()).map(|m| m.len()).sum();
                json!({ "docs": searcher.num_docs(), "segments": searcher.segment_readers().len(), "bytes": bytes })
            }
            Some("answers") => {
                json!(queries.iter().map(|q| answer(&searcher, q.as_ref())).collect::<Result<Vec<_>, _>>()?)
            }
            Some("time") => {
                let mode = question["mode"].as_str().unwrap_or("top").to_string();
                let repeat = question["repeat"].as_u64().unwrap_or(1);
                let from = question["from"].as_u64().unwrap_or(0) as usize;
                let to = question["to"].as_u64().unwrap_or(queries.len() as u64) as usize;
                let mut micros = Vec::new();
                for query in &queries[from..to] {
                    for _ in 0..repeat {
                        micros.push(time(&searcher, query.as_ref(), &mode)?);
                    }
                }
                json!(micros)
            }
            _ => json!({ "error": "ask is load, answers or time" }),
        };
        println!("{reply}");
        stdout().flush()?;
    }
    Ok(())
}
