-- Up Migration

-- Credits and payments. Texts sort by their bytes ("C"), as the pages of listings expect. Amounts are
-- whole numbers. A "doc" is a row in its stored form, JSON of a list that begins with its version:
-- text and not jsonb, which would reorder it and refuses some characters.
-- A "rev" grows by one with every change: a change that was decided on an older one is refused.

CREATE TABLE schema_version (version int PRIMARY KEY);

-- Facts about the whole database: which key it was written with, and whether a copy is under way.
CREATE TABLE meta (name text COLLATE "C" PRIMARY KEY, value text NOT NULL);

CREATE TABLE account (
  wallet text COLLATE "C" PRIMARY KEY,
  rev bigint NOT NULL,
  last_entry bigint NOT NULL,
  doc text NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE ledger (
  wallet text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  kind text NOT NULL CHECK (kind IN ('grant', 'debit', 'expire', 'revoke', 'refund')),
  credits bigint NOT NULL CHECK (credits > 0),
  balance_after bigint NOT NULL CHECK (balance_after >= 0),
  at_ms bigint NOT NULL,
  operation text NOT NULL,
  request_id text,
  lots text NOT NULL,
  position bigint GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (wallet, number)
);
CREATE UNIQUE INDEX ledger_position ON ledger (position);

CREATE TABLE tokens (wallet text COLLATE "C" PRIMARY KEY, rev bigint NOT NULL, doc text NOT NULL);

CREATE TABLE promo (
  code text COLLATE "C" PRIMARY KEY,
  rev bigint NOT NULL,
  credits bigint NOT NULL,
  wallets_max int NOT NULL,
  redeemed int NOT NULL CHECK (redeemed <= wallets_max),
  created_at_ms bigint NOT NULL,
  expires_at_ms bigint NOT NULL,
  revoked_at_ms bigint,
  sealed text
);

CREATE TABLE redemption (
  code text COLLATE "C" NOT NULL,
  wallet text COLLATE "C" NOT NULL,
  rev bigint NOT NULL,
  at_ms bigint NOT NULL,
  PRIMARY KEY (code, wallet)
);

-- "code": of the promo token that bought the answer, or nothing.
CREATE TABLE answer (
  wallet text COLLATE "C" NOT NULL,
  code text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  rev bigint NOT NULL,
  fingerprint text NOT NULL,
  body text NOT NULL,
  expires_at_ms bigint NOT NULL,
  PRIMARY KEY (wallet, code, key)
);
CREATE INDEX answer_expiry ON answer (expires_at_ms);

-- The key alone makes an authorization single-use: never partition this table by time.
-- "payer" is the key without its nonce. The columns beside "doc" repeat what it says, for the indices.
CREATE TABLE payment (
  key text COLLATE "C" PRIMARY KEY,
  rev bigint NOT NULL,
  state text NOT NULL CHECK (state IN ('CLAIMED', 'SETTLING', 'SETTLED', 'FAILED')),
  open boolean NOT NULL,
  unchecked boolean NOT NULL,
  owner text COLLATE "C",
  epoch int NOT NULL,
  payer text COLLATE "C" NOT NULL,
  is_signed_by_key boolean NOT NULL,
  created_at_ms bigint NOT NULL,
  updated_at_ms bigint NOT NULL,
  doc text NOT NULL,
  CHECK (state NOT IN ('CLAIMED', 'SETTLING') OR open)
);
CREATE INDEX payment_open ON payment (key) WHERE open;
CREATE INDEX payment_open_of_payer ON payment (payer) WHERE open;
CREATE INDEX payment_unchecked ON payment (key) WHERE unchecked;

-- What was given out on somebody's word: "facilitator/NAME" and "wallet/ADDRESS", in micro-USDC.
CREATE TABLE exposure (
  who text COLLATE "C" PRIMARY KEY,
  unproven_micros bigint NOT NULL,
  refuted_micros bigint NOT NULL,
  last_refuted_at_ms bigint
);

-- Which payment a transfer on the chain is the proof of.
CREATE TABLE transfer (
  transaction text COLLATE "C" NOT NULL,
  log_index bigint NOT NULL,
  payment text COLLATE "C" NOT NULL,
  PRIMARY KEY (transaction, log_index)
);

-- One row for each life of a replica. Times are this database's own.
CREATE TABLE replica (
  id text COLLATE "C" PRIMARY KEY,
  pid int NOT NULL,
  until timestamptz NOT NULL
);

-- Who does what only one may do. The epoch grows with every owner, and fences what an earlier one still writes.
CREATE TABLE job_lease (job text PRIMARY KEY, owner text NOT NULL, epoch int NOT NULL, until timestamptz NOT NULL);

-- Proves that a transaction whose answer was lost has been committed.
CREATE TABLE batch_mark (id uuid PRIMARY KEY, at timestamptz NOT NULL DEFAULT clock_timestamp());

-- A row is here only inside a transaction: it makes the decisions about one payer wait for each other.
CREATE TABLE payer_turn (payer text COLLATE "C" PRIMARY KEY);

-- What callers have used up of limits that count across replicas.
CREATE TABLE limit_used (
  key text COLLATE "C" PRIMARY KEY,
  points int NOT NULL,
  until timestamptz NOT NULL
);

-- Ends the transaction where a change did not meet the rows that it was decided on.
CREATE FUNCTION expect_rows(n_found bigint, n_wanted bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF n_found <> n_wanted THEN
    RAISE EXCEPTION 'met % rows, not %', n_found, n_wanted USING ERRCODE = 'PF001';
  END IF;
END $$;

-- The ledger is only ever appended to.
REVOKE UPDATE, DELETE ON ledger FROM CURRENT_USER;

INSERT INTO schema_version VALUES (1);

-- Down Migration

-- There is no way back: restore the backup of the version before.
