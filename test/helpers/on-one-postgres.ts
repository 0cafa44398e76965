/** A test that needs what a cluster has not, such as a trigger: not run by `make test-cluster`. */
export const testOnOnePostgres = process.env.TEST_CLUSTER ? test.skip : test;
