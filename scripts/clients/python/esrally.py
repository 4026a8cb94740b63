# A race of esrally with a small track.

import track
from calls import MAPPINGS

folder = track.write("track.json", MAPPINGS)
track.run(
    "esrally.rally",
    "race",
    f"--track-path={folder}",
    "--pipeline=benchmark-only",
    f"--target-hosts={track.HOST}",
    "--offline",
    "--on-error=abort",
    "--report-format=csv",
    "--report-file=RESULTS",
)
