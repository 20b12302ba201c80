-- Up Migration

-- What ratings were computed from, by moment and wallet; those of earlier moments are forgotten.

CREATE TABLE rating_basis (
  as_of_s bigint NOT NULL,
  wallet text COLLATE "C" NOT NULL,
  doc text NOT NULL,
  PRIMARY KEY (as_of_s, wallet)
);

INSERT INTO schema_version VALUES (5);

-- Down Migration

-- There is no way back: restore the backup of the version before.
