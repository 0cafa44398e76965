-- How many mails a company has caused, so that none can have the service send as many as it likes.
create table mail_counts (
  company_id uuid primary key references companies (id),
  -- In UTC; the number is that of this day.
  day date not null,
  mails integer not null,
  -- When all of its mails have left, at the pace at which they may: later than now while it has many.
  busy_until timestamptz not null
);
