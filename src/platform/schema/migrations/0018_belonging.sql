-- Belonging is the person's own act: a user is tied to a collaborator by accepting an invitation, and by nothing else.

-- Those whom an admin's activation tied to a record, without their knowing.
delete from memberships m using collaborators c
  where c.company_id = m.company_id and c.id = m.collaborator_id and c.accepted_at is null;
update collaborators set user_id = null where accepted_at is null and user_id is not null;

-- The names in the audit log are those of the company's own records, deleted ones as well.
create index collaborators_user on collaborators (company_id, user_id) where user_id is not null;
