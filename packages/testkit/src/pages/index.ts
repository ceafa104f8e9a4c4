import { join } from 'node:path'
import { inject } from 'vitest'
import { askAt } from '../test-run/door.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a test asks for the bundles of the web console; the answer is their folder. */
    chancelaPagesDoor: string
  }
}

let built: Promise<string> | undefined

/** The folder of a bundle of the web console as it ships, made of the sources as they are now. */
export async function builtPages(bundle: string): Promise<string> {
  built ??= askAt(inject('chancelaPagesDoor'))
  return join(await built, bundle)
}
