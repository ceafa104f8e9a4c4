import { existsSync, readFileSync } from 'node:fs'
import { validate } from 'dockerfile-utils'
import { describe, expect, test } from 'vitest'

const dockerfile = readFileSync('deploy/Dockerfile', 'utf8')
const unit = readFileSync('deploy/chancela.service', 'utf8')

describe('the Dockerfile', () => {
  test('has nothing the Dockerfile linter complains about', () => {
    expect(validate(dockerfile).map(({ message }) => message)).toEqual([])
  })

  test('runs the command line as a user who is not root', () => {
    const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))
    expect(last).toMatch(/^USER node$/m)
    expect(last.indexOf('USER node')).toBeLessThan(last.indexOf('ENTRYPOINT'))
    expect(last).toMatch(/^ENTRYPOINT \["node", "\/opt\/chancela\/apps\/cli\/bin\/chancela.mjs"\]$/m)
    expect(existsSync('apps/cli/bin/chancela.mjs')).toBe(true)
  })

  test('exposes the ports of the services', async () => {
    const { catalogue } = await import('@chancela/cli')
    const exposed = /^EXPOSE (.+)$/m.exec(dockerfile)?.[1]?.split(' ').map(Number) ?? []
    expect(exposed).toEqual(catalogue.map((entry) => entry.port).sort((a, b) => a - b))
  })
})

describe('the Dockerfile of the batch signer alone', () => {
  const alone = readFileSync('deploy/batch-signer/Dockerfile', 'utf8')
  const start = /^ExecStart=.*chancela\.mjs (.*)$/m.exec(
    readFileSync('deploy/batch-signer/chancela-batch-signer.service', 'utf8'),
  )![1]!

  test('has nothing the linter complains about, one port, no root, and the command of the unit', () => {
    expect(validate(alone).map(({ message }) => message)).toEqual([])
    const last = alone.slice(alone.lastIndexOf('\nFROM '))
    expect(last.match(/^(?:USER|EXPOSE) .*$/gm)).toEqual(['USER node', 'EXPOSE 8084'])
    expect(last).toContain('CHANCELA__BATCH_SIGNER__HTTP__HOST=0.0.0.0')
    expect(last).toMatch(/^HEALTHCHECK .*\\\n +CMD .*127\.0\.0\.1:8084\/api\/health/m)
    expect(last).toContain(`CMD ["${start.split(' ').join('", "')}"]`)
  })
})

describe('the systemd unit', () => {
  const settings = new Map(
    unit
      .split('\n')
      .flatMap((line) => /^(\w+)=(.*)$/.exec(line)?.slice(1, 3) ?? [])
      .reduce<[string, string][]>(pairs, []),
  )

  test('runs as a user of its own, without privileges', () => {
    expect(settings.get('User')).toBe('chancela')
    expect(settings.get('NoNewPrivileges')).toBe('yes')
    expect(settings.get('ProtectSystem')).toBe('strict')
  })

  test('checks the settings before it starts and gives a stop time to drain', () => {
    expect(settings.get('ExecStartPre')).toContain('config check')
    expect(settings.get('ExecStart')).toContain('apps/cli/bin/chancela.mjs start')
    expect(Number(settings.get('TimeoutStopSec'))).toBeGreaterThan(20)
  })
})

/** Joins a flat list into pairs. */
function pairs(done: [string, string][], value: string, index: number, all: string[]): [string, string][] {
  return index % 2 === 0 ? [...done, [value, all[index + 1]!]] : done
}
