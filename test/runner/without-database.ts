/** Hides the run's database from unit tests: tests that need one belong to another tier. */
delete process.env.TEST_POSTGRES_URL;
delete process.env.TEST_TEMPLATE;
