-- A value sealed with each secret in use, which a process with a wrong or missing secret cannot open.
create table secret_checks (id text primary key, sealed text not null);
