import { describe, expect, test } from 'vitest'
import { inputFolders, refuseOverlaps, workPlaces } from './input-folders.ts'

const WatchedFolder = {
  StabilityPollIntervalMs: 500,
  StabilityRequiredSamples: 3,
  StabilityConcurrency: 8,
  StabilityTimeoutSeconds: 60,
  PollIntervalSeconds: 30,
  TakeExisting: false,
  IgnoredExtensions: ['.tmp'],
  IgnoredPrefixes: ['.'],
}

test('a folder polls at its own pace and can only add to what is ignored', () => {
  const Inputs = [
    { Name: 'a', Path: 'in/a' },
    { Name: 'b', Path: '/mnt/b', PollIntervalSeconds: 5, IgnoredExtensions: ['.bak'] },
  ]
  const [a, b] = inputFolders({ Storage: { Root: 'root', Inputs }, WatchedFolder }, '/data')
  expect(a).toMatchObject({ name: 'a', path: '/data/in/a', pollMs: 30_000 })
  expect(b).toMatchObject({ name: 'b', path: '/mnt/b', pollMs: 5_000 })
  expect([...b!.ignored.extensions]).toEqual(['.tmp', '.bak'])
})

test('without any there is one named default under the root', () => {
  const folders = inputFolders({ Storage: { Root: 'root', Inputs: [] }, WatchedFolder }, '/data')
  expect(folders).toMatchObject([{ name: 'default', path: '/data/root/input' }])
})

describe('folders that overlap are refused', () => {
  const Backup = { Enabled: true, RetainCount: 1, Path: 'backups' }
  const work = workPlaces({ Storage: { Root: 'root', Inputs: [] }, Backup }, '/data')
  const input = (path: string, name = 'in') => ({ what: `the input folder ${name}`, path })

  test.each([
    ['/data/root/output', /is also the work folder output\//],
    ['/data/root/error/deep', /lies inside the work folder error\//],
    ['/data', /contains the work folder db\//],
    ['/data/backups', /is also the folder for backups/],
  ])('%s', (path, sentence) => {
    expect(() => refuseOverlaps([input(path)], work)).toThrow(sentence)
  })

  test('names that only begin alike do not overlap', () => {
    const inputs = [input('/data/root/output-2'), input('/data/root/..odd', 'odd'), input('/data/root/input', 'third')]
    expect(() => refuseOverlaps(inputs, work)).not.toThrow()
  })
})
