# A small track for esrally, which opensearch-benchmark takes as a workload too, and the results of its tasks as calls.

import csv
import json
import subprocess
import sys
from pathlib import Path

from calls import PRODUCTS, URL, report

HOST = URL.removeprefix("http://")


def task(kind, name=None, **settings):
    iterations = {"iterations": settings.pop("iterations")} if "iterations" in settings else {}
    return {"operation": {"name": name or kind, "operation-type": kind, **settings}, **iterations}


def search(name, **body):
    return task("search", name, index="products", body=body, iterations=10)


TASKS = [
    task("delete-index"),
    task("create-index"),
    task("cluster-health", **{"request-params": {"wait_for_status": "yellow"}}),
    task("bulk", **{"bulk-size": 2}),
    task("refresh"),
    task("force-merge"),
    task("index-stats", iterations=5),
    search("match", query={"match": {"title": "running"}}),
    search("terms", size=0, aggs={"brands": {"terms": {"field": "brand"}}}),
    search("date_histogram", size=0, aggs={"m": {"date_histogram": {"field": "added", "calendar_interval": "month"}}}),
    search("sort", query={"range": {"price": {"gte": 20}}}, sort=[{"price": "desc"}]),
]

TRACK = {
    "version": 2,
    "description": "products",
    "indices": [{"name": "products", "body": "index.json"}],
    "corpora": [{"name": "products", "documents": [{"source-file": "products.json", "document-count": len(PRODUCTS)}]}],
    "schedule": TASKS,
}


def write(name, mappings):
    """Writes the track into the folder `track`, and returns its path."""
    folder = Path("track").resolve()
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(json.dumps(TRACK))
    (folder / "index.json").write_text(json.dumps({"mappings": mappings}))
    (folder / "products.json").write_text("".join(json.dumps(product) + "\n" for product in PRODUCTS))
    return folder


def run(module, *args):
    """Runs the tool, and reports its run and each of its tasks."""
    results = Path("results.csv").resolve()
    results.unlink(missing_ok=True)
    ended = subprocess.run([sys.executable, "-m", module, *(arg.replace("RESULTS", str(results)) for arg in args)], capture_output=True, text=True)
    lines = [line for line in (ended.stdout + ended.stderr).splitlines() if "ERROR" in line]
    report("run of the track", None if ended.returncode == 0 else " ".join(lines[:2]) or f"ended with {ended.returncode}")
    if not results.exists():
        return
    rows = list(csv.reader(results.open()))
    rates = {row[1]: float(row[2]) for row in rows if row[0] == "error rate"}
    for name, rate in rates.items():
        report(name, None if rate == 0 else f"{rate} % of the requests failed")
    report("telemetry of segments", None if any(row[0] == "Segment count" for row in rows) else "no count of segments")
