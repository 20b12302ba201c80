-- Up Migration

-- When a payment was settled whose answer is still kept; null: there is nothing to remove. The answers that are due are
-- found by it alone, and its index is as small as what is kept.

ALTER TABLE payment ADD COLUMN answered_at_ms bigint;

-- A row that cannot be understood is left as it is.
CREATE FUNCTION has_body(doc text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  RETURN (doc::json ->> 9) IS NOT NULL;
EXCEPTION WHEN OTHERS THEN
  RETURN false;
END $$;
UPDATE payment SET answered_at_ms = updated_at_ms WHERE state = 'SETTLED' AND NOT open AND has_body(doc);
DROP FUNCTION has_body(text);

CREATE INDEX payment_answered ON payment (answered_at_ms) WHERE answered_at_ms IS NOT NULL;

INSERT INTO schema_version VALUES (3);

-- Down Migration

-- There is no way back: restore the backup of the version before.
