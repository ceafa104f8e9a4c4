import { type TestFunction, test } from 'vitest'
import { type Database, databases } from './service-world.ts'

type DefineTest = ((name: string, run: TestFunction) => void) & Pick<typeof test, 'each'>

/** Ignores every test definition. */
const nowhere = Object.assign(() => undefined, { each: () => () => undefined }) as unknown as DefineTest

/**
 * `test` for what does not depend on SQL (refusals of a schema, pages, answers of another side), in a describe that
 * runs on every database: such a test runs on the first of them only.
 */
export const testOnce = (database: Database): DefineTest => (database === databases[0] ? test : nowhere)
