-- Up Migration

-- The COPY wallets of boards, and what copying them came to; one row for each moment.

CREATE TABLE followed_board (
  as_of_s bigint PRIMARY KEY,
  doc text NOT NULL
);

INSERT INTO schema_version VALUES (6);

-- Down Migration

-- There is no way back: restore the backup of the version before.
