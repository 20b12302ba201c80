-- Up Migration

-- Boards and ratings of wallets, and the wallets that are being rated. What is not kept under a wallet
-- or a run is in a table of one row, whose key is always true.

-- The newest run that began to keep ratings, in force or not. Its row is the lock of all that runs write.
CREATE TABLE draft_run (only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one), run bigint NOT NULL);

-- The board in force.
CREATE TABLE board (only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one), run bigint NOT NULL, doc text NOT NULL);

-- Every run that is or was in force: its verdicts count in the histories.
CREATE TABLE published_run (run bigint PRIMARY KEY);

-- Ratings of the run in force and of the draft; those of older runs are removed in batches.
CREATE TABLE rating (
  run bigint NOT NULL,
  wallet text COLLATE "C" NOT NULL,
  doc text NOT NULL,
  PRIMARY KEY (run, wallet)
);

CREATE TABLE verdict_history (
  wallet text COLLATE "C" NOT NULL,
  run bigint NOT NULL,
  as_of_s bigint NOT NULL,
  doc text NOT NULL,
  PRIMARY KEY (wallet, run)
);
CREATE INDEX verdict_history_age ON verdict_history (as_of_s);

CREATE TABLE demand_rating (wallet text COLLATE "C" PRIMARY KEY, as_of_s bigint NOT NULL, doc text NOT NULL);
CREATE INDEX demand_rating_age ON demand_rating (as_of_s);

-- Wallets whose rating is being made. "owner": the replica that makes it, until its time is up; the
-- epoch grows with every owner, and an earlier one writes nothing more.
CREATE TABLE wallet_row (
  wallet text COLLATE "C" PRIMARY KEY,
  queued_at_ms bigint NOT NULL,
  not_before_ms bigint NOT NULL,
  doc text NOT NULL,
  owner text COLLATE "C",
  epoch int NOT NULL DEFAULT 0,
  until timestamptz
);
CREATE INDEX wallet_row_age ON wallet_row (queued_at_ms, wallet);

CREATE TABLE run_report (only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one), doc text NOT NULL);
CREATE TABLE profile_mean (only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one), doc text NOT NULL);

CREATE INDEX limit_used_end ON limit_used (until);

INSERT INTO schema_version VALUES (2);

-- Down Migration

-- There is no way back: restore the backup of the version before.
