-- Up Migration

-- What was counted on each day of the scoreboard, by UTC ("2026-11-27"): one row, written whole.

CREATE TABLE score_day (day text COLLATE "C" PRIMARY KEY, doc text NOT NULL);

INSERT INTO schema_version VALUES (4);

-- Down Migration

-- There is no way back: restore the backup of the version before.
