-- Documents of collaborators. The files themselves are objects in the storage: an object is written before the row that
-- names it, and removed after, so a row never names an object that is not there. What no row names is swept.

create table documents (
  company_id uuid not null references companies (id),
  id uuid not null,
  collaborator_id uuid not null,
  -- The object in the storage; null once the document was deleted, which frees the object.
  key text,
  name text not null,
  type text not null,
  -- Told from the content.
  media_type text not null,
  size integer not null check (size > 0),
  sha256 bytea not null,
  description text,
  uploaded_by uuid,
  uploaded_at timestamptz(3) not null default clock_timestamp(),
  deleted_at timestamptz(3),
  primary key (company_id, id),
  check ((key is null) = (deleted_at is not null))
);
create index documents_newest on documents (company_id, collaborator_id, uploaded_at desc, id desc)
  where deleted_at is null;

-- Which objects are named: asked by the sweep.
create unique index documents_key on documents (company_id, key) where key is not null;
create index collaborators_avatar_key on collaborators (company_id, avatar_key) where avatar_key is not null;

-- Of entries about a document: who may not see documents of that type does not see the entry.
alter table collaborator_history add column document_type text;

alter table documents
  add constraint documents_collaborator_fkey foreign key (company_id, collaborator_id)
  references collaborators (company_id, id);
