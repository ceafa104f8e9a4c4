import type { TestProject } from 'vitest/node'
import type {} from '../packages/testkit/src/pages/index.ts'
import { openDoor } from '../packages/testkit/src/test-run/door.ts'
import { bundlePages, pageFolders } from './steps/bundle-pages.mjs'
import { root } from './steps/run-command.mjs'

/**
 * Vitest's global set-up: the bundles of the web console for every test that opens a page, built when the first
 * requests them. After `npm test` has built them nothing is left to do.
 */
export async function setup(project: TestProject): Promise<() => void> {
  let made: Promise<string> | undefined
  const door = await openDoor(() => {
    made ??= bundlePages(root).then(() => JSON.stringify(pageFolders(root)))
    return made
  })
  project.provide('chancelaPagesDoor', door.url)
  return door.close
}
