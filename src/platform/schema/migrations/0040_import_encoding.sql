-- Which encoding a csv file is read in: said by whoever sent it, or told from its content; and where that was not certain,
-- what it would be otherwise: {sample, other_encoding, other_sample}. A dry run that is committed is read as it was shown.

alter table imports
  add column encoding text,
  add column encoding_guess jsonb;
