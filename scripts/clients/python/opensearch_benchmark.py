# A run of opensearch-benchmark with a small workload.

import track
from calls import MAPPINGS

folder = track.write("workload.json", MAPPINGS)
track.run(
    "osbenchmark.benchmark",
    "run",
    f"--workload-path={folder}",
    "--pipeline=benchmark-only",
    f"--target-hosts={track.HOST}",
    "--offline",
    "--on-error=abort",
    "--results-format=csv",
    "--results-file=RESULTS",
)
