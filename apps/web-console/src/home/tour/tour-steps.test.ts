import { expect, test } from 'vitest'
import { sampleSuite } from '../../../test/sample-suite.ts'
import { tourSteps } from './tour-steps.ts'

test('walks the commands of every service that answers, in order, numbered through', () => {
  expect(tourSteps(sampleSuite()).map(({ number, service, title }) => [number, service.name, title])).toEqual([
    [1, 'session-server', 'Open a session with CPF and PIN'],
    [2, 'session-server', 'List the open sessions'],
    [3, 'cloud-hub', 'Can it work?'],
    [4, 'demo-pki', 'Fetch the trust anchors'],
    [5, 'demo-pki', 'Stamp a file with the time'],
  ])
})

test('leaves out a stopped service, whose commands would fail', () => {
  const { services } = sampleSuite()
  const stopped = services.filter(({ state }) => state === 'stopped')
  expect(stopped.flatMap(({ curl }) => curl).length).toBeGreaterThan(0)
  expect(tourSteps({ services: stopped })).toEqual([])
})
