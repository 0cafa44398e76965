-- Annual pay in rupiah or dong has more digits than that in euros. With the same scale no row is written anew.
alter table collaborators alter column salary type numeric(14, 2);
