import Type from 'typebox'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { checkSettings, httpSection, loadSettings, serviceSettings, statelessSettings } from './index.ts'

const defaults = {
  Http: { Port: 8084, BodyLimitBytes: 20_000_000 },
  Database: { Url: 'sqlite:batch-signer.db' },
  Secrets: { MasterKeyFile: 'master.key' },
  Environment: 'development',
} as const

const BatchSigner = serviceSettings(defaults, {
  RateLimiting: Type.Object({
    Upload: Type.Object({ PermitsPerWindow: Type.Integer({ default: 30, description: 'Requests per window.' }) }),
  }),
  Upload: Type.Object({ MaxBytes: Type.Integer({ default: 1024, description: 'Largest upload, in bytes.' }) }),
})
const schemas = { 'batch-signer': BatchSigner }

const isAccepted = (variable: string, text: string): boolean =>
  checkSettings({ schemas, environment: { [`CHANCELA__BATCH_SIGNER__${variable}`]: text } }).ok

describe('the settings of a service', () => {
  test('are the kernel’s with its own defaults, and its own beside them, typed', () => {
    const settings = loadSettings({ schemas, environment: {} }).settings['batch-signer']
    expect(settings).toMatchObject({
      Environment: 'development',
      Http: { Host: '127.0.0.1', Port: 8084, BodyLimitBytes: 20_000_000, TrustedProxies: [] },
      Database: { Url: 'sqlite:batch-signer.db' },
      RateLimiting: { Enabled: true, Upload: { PermitsPerWindow: 30 } },
      Health: { CacheSeconds: 5 },
      Metrics: { Enabled: true, RequireApiKey: true },
      Upload: { MaxBytes: 1024 },
    })
    expectTypeOf(settings.RateLimiting.Enabled).toEqualTypeOf<boolean>()
    expectTypeOf(settings.RateLimiting.Upload.PermitsPerWindow).toEqualTypeOf<number>()
    expectTypeOf(settings.Environment).toEqualTypeOf<'development' | 'production'>()
    expectTypeOf(settings.Http.PublicUrl).toEqualTypeOf<string | undefined>()
  })

  test('of two services do not mix their defaults', () => {
    const other = serviceSettings({ ...defaults, Http: { Port: 1 } }, {})
    const { settings } = loadSettings({ schemas: { ...schemas, other }, environment: {} })
    expect([settings['batch-signer'].Http.Port, settings.other.Http.Port]).toStrictEqual([8084, 1])
  })

  test('of one without state have no database and no master key', () => {
    const home = statelessSettings({ Http: { Port: 8090 } }, {})
    const { settings } = loadSettings({ schemas: { home }, environment: {} })
    expect(settings.home.Http.Port).toBe(8090)
    expect(Object.keys(settings.home)).not.toContain('Database')
    expect(Object.keys(settings.home)).not.toContain('Secrets')
    // @ts-expect-error there is none
    expect(settings.home.Database).toBe(undefined)
  })

  test('can have another base URL, with an address of its own', () => {
    const twice = serviceSettings(defaults, { HttpCompact: httpSection({ Port: 8080 }) })
    const environment = { CHANCELA__TWICE__HTTPCOMPACT__HOST: '0.0.0.0' }
    const { settings } = loadSettings({ schemas: { twice }, environment })
    expect(settings.twice.HttpCompact).toMatchObject({ Host: '0.0.0.0', Port: 8080, MaxRunning: 128 })
    expect(settings.twice.Http).toMatchObject({ Host: '127.0.0.1', Port: 8084 })
  })

  describe('of another base URL', () => {
    const twice = serviceSettings(defaults, { Console: httpSection({ Port: 8080, BodyLimitBytes: 65_536 }) })
    const http = 'CHANCELA__COMMON__HTTP__'
    const loaded = (environment: Record<string, string>) => loadSettings({ schemas: { twice }, environment })

    test('are what `common` says of every service, unless they are given', () => {
      const common = {
        [`${http}TRUSTEDPROXIES__0`]: '10.0.0.7',
        [`${http}MAXRUNNING`]: '7',
        [`${http}TLS__CERTIFICATEFILE`]: 'cert.pem',
        [`${http}TLS__KEYFILE`]: 'key.pem',
      }
      const { settings, sources } = loaded(common)
      const Tls = { CertificateFile: 'cert.pem', KeyFile: 'key.pem' }
      expect(settings.twice.Console).toMatchObject({ TrustedProxies: ['10.0.0.7'], MaxRunning: 7, Tls, Port: 8080 })
      expect(settings.twice.Console.BodyLimitBytes).toBe(65_536)
      expect(sources.twice['Console:MaxRunning']).toEqual({ kind: 'environment', variable: `${http}MAXRUNNING` })
      const own = loaded({ ...common, CHANCELA__TWICE__CONSOLE__MAXRUNNING: '9' }).settings.twice
      expect([own.Http.MaxRunning, own.Console.MaxRunning]).toEqual([7, 9])
      const everyConsole = loaded({ ...common, CHANCELA__COMMON__CONSOLE__MAXRUNNING: '8' }).settings.twice
      expect([everyConsole.Http.MaxRunning, everyConsole.Console.MaxRunning]).toEqual([7, 8])
    })

    test('are never where it listens and what it is called, nor what one service says of its first address', () => {
      const { Console } = loaded({
        [`${http}HOST`]: '0.0.0.0',
        [`${http}PUBLICURL`]: 'https://a.example',
        CHANCELA__TWICE__HTTP__MAXRUNNING: '7',
      }).settings.twice
      expect(Console).toMatchObject({ Host: '127.0.0.1', MaxRunning: 128 })
      expect(Console.PublicUrl).toBe(undefined)
    })

    test('that are wrong under `common` are reported once, where they were written', () => {
      const verdict = checkSettings({
        schemas: { twice },
        environment: { [`${http}TRUSTEDPROXIES`]: '["proxy.example"]' },
      })
      expect(verdict).toMatchObject({
        problems: [{ key: 'common Http:TrustedProxies:0', source: `${http}TRUSTEDPROXIES` }],
      })
    })
  })

  test('cannot have a default that the setting itself would refuse, nor a section where the kernel has a value', () => {
    expect(() => serviceSettings({ ...defaults, Http: { Port: 70_000 } }, {})).toThrow('Http:Port')
    expect(() => serviceSettings({ ...defaults, Http: { Port: 1, TrustedProxies: ['x'] } }, {})).toThrow(
      'TrustedProxies',
    )
    expect(() => serviceSettings(defaults, { Environment: Type.Object({}) })).toThrow('Environment')
  })

  test.each([
    ['10.0.0.7', true],
    ['10.0.0.0/8', true],
    ['10.0.0.7/32', true],
    ['0.0.0.0/0', true],
    ['fd00::/8', true],
    ['::1', true],
    ['2001:db8::/32', true],
    ['::ffff:10.0.0.0/104', true],
    ['10.0.0.7/8', false],
    ['2001:db8::1/32', false],
    ['10.0.0.0/33', false],
    ['10.0.0.0/', false],
    ['10.0.0.0/8/8', false],
    ['proxy.example', false],
    ['', false],
  ])('take %s as a trusted proxy: %s', (address, accepted) => {
    expect(isAccepted('HTTP__TRUSTEDPROXIES__0', address)).toBe(accepted)
  })

  test.each([
    ['https://sign.example.com', true],
    ['http://localhost:8084/base', true],
    ['sign.example.com', false],
    ['ftp://sign.example.com', false],
    ['https://sign.example.com/?a=1', false],
  ])('take %s as the public URL: %s', (url, accepted) => {
    expect(isAccepted('HTTP__PUBLICURL', url)).toBe(accepted)
  })

  test.each([
    ['sqlite::memory:', true],
    ['sqlite:data/x.db', true],
    ['postgres://u:p@h/d', true],
    ['postgresql://h/d', true],
    ['mysql://h/d', false],
    ['sqlite:', false],
  ])('take %s as the database: %s', (url, accepted) => {
    expect(isAccepted('DATABASE__URL', url)).toBe(accepted)
  })
})
