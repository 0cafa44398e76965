-- An export of everything about one person: an archive of files.
alter table exports drop constraint exports_kind_check;
alter table exports add constraint exports_kind_check check (kind in ('individual', 'list', 'group', 'personal_data'));
alter table exports drop constraint exports_format_check;
alter table exports add constraint exports_format_check check (format in ('xlsx', 'csv', 'json', 'zip'));
