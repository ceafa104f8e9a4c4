import { type TestFunction, test } from 'vitest'
import { type Database, databases } from './service-world.ts'

type DefineTest = ((name: string, run: TestFunction) => void) & Pick<typeof test, 'each'>

/** Nothing, wherever a test is defined. */
const nowhere = Object.assign(() => undefined, { each: () => () => undefined }) as unknown as DefineTest

/**
 * `test` for what no SQL stands behind (refusals of a schema, pages, what another side answers), in a describe that runs
 * on every database: such a test is there on the first of them only.
 */
export const testOnce = (database: Database): DefineTest => (database === databases[0] ? test : nowhere)
