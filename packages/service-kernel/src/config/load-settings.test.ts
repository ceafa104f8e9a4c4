import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import Type from 'typebox'
import { describe, expect, expectTypeOf, onTestFinished, test } from 'vitest'
import { StartupProblem } from '../errors/index.ts'
import { ConfigurationProblems, checkSettings, loadSettings, type Problem, type SettingsOptions } from './index.ts'

const BatchSigner = Type.Object({
  Http: Type.Object({
    Port: Type.Integer({ default: 8084, minimum: 0, maximum: 65_535, description: 'Port.' }),
    Host: Type.String({ default: '127.0.0.1', minLength: 1, description: 'Address.' }),
    TrustedProxies: Type.Array(Type.String(), { default: ['10.0.0.1', '10.0.0.2'], description: 'Proxies.' }),
  }),
  Upload: Type.Object({
    Enabled: Type.Boolean({ default: true, description: 'Whether uploads are taken.' }),
    MaxBytes: Type.Integer({ default: 104_857_600, minimum: 1024, description: 'Largest upload, in bytes.' }),
  }),
  Auth: Type.Object({ ApiKey: Type.Optional(Type.String({ minLength: 16, secret: true, description: 'The key.' })) }),
  RateLimiting: Type.Object({
    Upload: Type.Object({ PermitsPerWindow: Type.Integer({ default: 30, minimum: 1, description: 'Requests.' }) }),
  }),
  Oidc: Type.Optional(
    Type.Object({
      Issuer: Type.String({ description: 'Issuer.' }),
      ClientId: Type.String({ description: 'Client.' }),
      RolesClaim: Type.String({ default: 'roles', description: 'Claim.' }),
    }),
  ),
  Storage: Type.Object({
    Inputs: Type.Array(
      Type.Object({
        Name: Type.String(),
        Path: Type.String(),
        PollIntervalSeconds: Type.Integer({ default: 30, minimum: 5 }),
        AccountKey: Type.Optional(Type.String({ secret: true })),
      }),
      { default: [], description: 'Folders.' },
    ),
  }),
  Encryption: Type.Object({
    Mode: Type.Union([Type.Literal('off'), Type.Literal('on'), Type.Literal('auto')], {
      default: 'off',
      description: 'M.',
    }),
    Factor: Type.Number({ default: 1.5, description: 'Factor.' }),
    Levels: Type.Record(Type.String(), Type.Integer(), { default: {}, description: 'Levels by name.' }),
  }),
})
const PkiCore = Type.Object({
  Http: Type.Object({ Port: Type.Integer({ default: 8083, minimum: 0, maximum: 65_535, description: 'Port.' }) }),
  Authority: Type.Object({ Url: Type.String({ description: 'URL of the authority.' }) }),
})

const alone = { 'batch-signer': BatchSigner }
const both = { ...alone, 'pki-core': PkiCore }

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'chancela-config-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}

function fileWith(content: unknown): string {
  const file = join(folder(), 'chancela.json')
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

const load = (given: { file?: unknown; environment?: Record<string, string> } = {}) =>
  loadSettings({
    schemas: alone,
    file: given.file === undefined ? undefined : fileWith(given.file),
    environment: given.environment ?? {},
  }).settings['batch-signer']

function problemsOf(options: SettingsOptions<typeof both> | SettingsOptions<typeof alone>): readonly Problem[] {
  const verdict = checkSettings(options as SettingsOptions<typeof both>)
  return verdict.ok ? [] : verdict.problems
}

const problemsIn = (given: { file?: unknown; environment?: Record<string, string> }): readonly Problem[] =>
  problemsOf({
    schemas: alone,
    file: given.file === undefined ? undefined : fileWith(given.file),
    environment: given.environment ?? {},
  })

describe('settings', () => {
  test('are the defaults when nothing is given, typed, and frozen to the leaves', () => {
    const settings = load()
    expect(settings.Http).toStrictEqual({ Port: 8084, Host: '127.0.0.1', TrustedProxies: ['10.0.0.1', '10.0.0.2'] })
    expectTypeOf(settings.Http.Port).toEqualTypeOf<number>()
    expectTypeOf(settings.Auth.ApiKey).toEqualTypeOf<string | undefined>()
    expect(() => settings.Http.TrustedProxies.push('x')).toThrow(TypeError)
    expect(() => Object.assign(settings.Upload, { Enabled: false })).toThrow(TypeError)
    expect(settings.Auth).toStrictEqual({})
    expect('Oidc' in settings).toBe(false)
  })

  test('of one load do not share lists with the defaults or with another load', () => {
    expect(load().Http.TrustedProxies).not.toBe(load().Http.TrustedProxies)
  })

  test('follow default < file common < file service < environment common < environment service', () => {
    const layer = fc.option(fc.integer({ min: 0, max: 65_535 }), { nil: undefined })
    const file = join(folder(), 'chancela.json')
    fc.assert(
      fc.property(layer, layer, layer, layer, (fileCommon, fileService, envCommon, envService) => {
        const http = (port: number | undefined) => ({ Http: port === undefined ? {} : { Port: port } })
        writeFileSync(file, JSON.stringify({ common: http(fileCommon), 'batch-signer': http(fileService) }))
        const environment = {
          CHANCELA__COMMON__HTTP__PORT: envCommon?.toString(),
          CHANCELA__BATCH_SIGNER__HTTP__PORT: envService?.toString(),
        }
        const { settings, sources } = loadSettings({ schemas: alone, file, environment })
        const given = [envService, envCommon, fileService, fileCommon]
        expect(settings['batch-signer'].Http.Port).toBe(given.find((port) => port !== undefined) ?? 8084)
        const kinds = ['environment', 'environment', 'file', 'file', 'default']
        expect(sources['batch-signer']['Http:Port']!.kind).toBe(
          kinds[given.findIndex((port) => port !== undefined)] ?? 'default',
        )
      }),
    )
  })

  test('a program brings along give way to the file and the environment', () => {
    const defaults = { 'batch-signer': { Http: { Port: 1 } } }
    const port = (more: { file?: string; environment?: Record<string, string> }) =>
      loadSettings({ schemas: alone, environment: {}, defaults, ...more }).settings['batch-signer'].Http.Port
    expect(port({})).toBe(1)
    expect(port({ file: fileWith({ common: { Http: { Port: 2 } } }) })).toBe(2)
    expect(port({ environment: { CHANCELA__BATCH_SIGNER__HTTP__PORT: '3' } })).toBe(3)
  })

  test('of the environment are read by the type of the setting, in any letters', () => {
    const settings = load({
      environment: {
        chancela__Batch_Signer__http__PORT: ' 9000 ',
        CHANCELA__BATCH_SIGNER__HTTP__HOST: '0',
        CHANCELA__BATCH_SIGNER__UPLOAD__ENABLED: 'False',
        CHANCELA__BATCH_SIGNER__ENCRYPTION__MODE: 'auto',
        CHANCELA__BATCH_SIGNER__ENCRYPTION__FACTOR: '2.5',
        CHANCELA__BATCH_SIGNER__ENCRYPTION__LEVELS: '{"Default":3}',
        CHANCELA__BATCH_SIGNER__RATELIMITING__UPLOAD__PERMITSPERWINDOW: '7',
      },
    })
    expect(settings.Http).toMatchObject({ Port: 9000, Host: '0' })
    expect(settings.Upload.Enabled).toBe(false)
    expect(settings.Encryption).toStrictEqual({ Mode: 'auto', Factor: 2.5, Levels: { Default: 3 } })
    expect(settings.RateLimiting.Upload.PermitsPerWindow).toBe(7)
  })

  test('that are lists come as JSON or by index, and replace the list of a lower source whole', () => {
    const list = 'CHANCELA__BATCH_SIGNER__HTTP__TRUSTEDPROXIES'
    expect(load({ environment: { [list]: '[]' } }).Http.TrustedProxies).toStrictEqual([])
    expect(load({ environment: { [`${list}__0`]: '::1' } }).Http.TrustedProxies).toStrictEqual(['::1'])
    const inputs = load({
      environment: {
        CHANCELA__BATCH_SIGNER__STORAGE__INPUTS__0__NAME: 'in',
        CHANCELA__BATCH_SIGNER__STORAGE__INPUTS__0__PATH: '/in',
        CHANCELA__BATCH_SIGNER__STORAGE__INPUTS__1__NAME: 'more',
        CHANCELA__BATCH_SIGNER__STORAGE__INPUTS__1__PATH: '/more',
        CHANCELA__BATCH_SIGNER__STORAGE__INPUTS__1__POLLINTERVALSECONDS: '5',
      },
    }).Storage.Inputs
    expect(inputs).toStrictEqual([
      { Name: 'in', Path: '/in', PollIntervalSeconds: 30 },
      { Name: 'more', Path: '/more', PollIntervalSeconds: 5 },
    ])
  })

  test('under common reach the services that have them and trouble no other', () => {
    const { settings } = loadSettings({
      schemas: both,
      file: fileWith({ common: { Upload: { MaxBytes: 2048 }, Authority: { Url: 'http://ca' } } }),
      environment: {},
    })
    expect(settings['batch-signer'].Upload.MaxBytes).toBe(2048)
    expect(settings['pki-core'].Authority.Url).toBe('http://ca')
  })

  test('of an optional section are asked for once one of them is given', () => {
    const complete = load({ file: { 'batch-signer': { Oidc: { Issuer: 'https://idp', ClientId: 'c' } } } })
    expect(complete.Oidc).toStrictEqual({ Issuer: 'https://idp', ClientId: 'c', RolesClaim: 'roles' })
    expect(problemsIn({ file: { 'batch-signer': { Oidc: { Issuer: 'https://idp' } } } })).toMatchObject([
      { kind: 'missing', key: 'batch-signer Oidc:ClientId' },
    ])
  })

  test('of services that are not loaded are recognised but not asked for', () => {
    const file = fileWith({ 'pki-core': { Http: { Port: 'nonsense' } } })
    const { settings } = loadSettings({ schemas: both, only: ['batch-signer'], file, environment: {} })
    expect(Object.keys(settings)).toStrictEqual(['batch-signer'])
  })

  test('ignore variables without the prefix', () => {
    expect(load({ environment: { CHANCELA_TEST_POSTGRES: 'x', PATH: '/bin' } }).Http.Port).toBe(8084)
  })
})

describe('secrets from files', () => {
  const SECRET = 'correct-horse-battery'

  test('are read beside the settings file, or from the path a variable names, without the last line end', () => {
    const place = folder()
    writeFileSync(join(place, 'key.txt'), `${SECRET}\n`)
    const file = join(place, 'chancela.json')
    writeFileSync(file, JSON.stringify({ 'batch-signer': { Auth: { ApiKey: { $file: 'key.txt' } } } }))
    const fromFile = loadSettings({ schemas: alone, file, environment: {} })
    expect(fromFile.settings['batch-signer'].Auth.ApiKey).toBe(SECRET)
    const environment = { CHANCELA__BATCH_SIGNER__AUTH__APIKEY__FILE: join(place, 'key.txt') }
    expect(load({ environment }).Auth.ApiKey).toBe(SECRET)
  })

  test('are read inside lists too', () => {
    const place = folder()
    writeFileSync(join(place, 'account'), SECRET)
    const Inputs = [{ Name: 'a', Path: '/a', AccountKey: { $file: join(place, 'account') } }]
    expect(load({ file: { 'batch-signer': { Storage: { Inputs } } } }).Storage.Inputs[0]!.AccountKey).toBe(SECRET)
  })

  test('that are absent or empty are reported by the setting', () => {
    const place = folder()
    writeFileSync(join(place, 'empty'), '\n')
    const variable = 'CHANCELA__BATCH_SIGNER__AUTH__APIKEY__FILE'
    for (const name of ['absent', 'empty']) {
      expect(problemsIn({ environment: { [variable]: join(place, name) } })).toMatchObject([
        { kind: 'unreadable', key: 'batch-signer Auth:ApiKey', sentence: expect.stringContaining(join(place, name)) },
      ])
    }
  })

  test('are for secrets only', () => {
    const environment = { CHANCELA__BATCH_SIGNER__HTTP__PORT__FILE: '/etc/passwd' }
    expect(problemsIn({ environment })).toMatchObject([{ kind: 'unknown', key: 'batch-signer Http:Port:FILE' }])
    expect(problemsIn({ file: { 'batch-signer': { Http: { Port: { $file: '/etc/passwd' } } } } })).toMatchObject([
      { kind: 'invalid', key: 'batch-signer Http:Port' },
    ])
  })
})

describe('wrong settings', () => {
  test('are reported all at once, each with its key, its place and what is accepted', () => {
    const file = fileWith(
      [
        '{',
        '  "common": { "Http": { "Prot": 1 } },',
        '  "batch-signer": {',
        '    "Http": { "Port": 70000 },',
        '    "Upload": { "Enabled": "yes", "MaxBytes": 10 },',
        '    "Storage": { "Inputs": [{ "Name": "a", "Pth": "/a", "PollIntervalSeconds": 1 }] }',
        '  },',
        '  "batch-singer": {}',
        '}',
      ].join('\n'),
    )
    const environment = {
      CHANCELA__BATCH_SIGNER__ENCRYPTION__MODE: 'maybe',
      CHANCELA__BATCH_SIGNER__SIGNING__MAXBYTES: '1',
      CHANCELA__PKI_KORE__HTTP__PORT: '1',
    }
    const problems = problemsOf({ schemas: both, file, environment })
    expect(problems.map(({ kind, key, source }) => `${kind} ${key} @ ${source.replace(file, 'file')}`)).toStrictEqual([
      'unknown batch-singer @ file:8:3',
      'unknown PKI_KORE @ CHANCELA__PKI_KORE__HTTP__PORT',
      'unknown common Http:Prot @ file:2:25',
      'unknown batch-signer Storage:Inputs:0:Pth @ file:6:44',
      'unknown batch-signer SIGNING:MAXBYTES @ CHANCELA__BATCH_SIGNER__SIGNING__MAXBYTES',
      'invalid batch-signer Http:Port @ file:4:15',
      'invalid batch-signer Upload:Enabled @ file:5:17',
      'invalid batch-signer Upload:MaxBytes @ file:5:35',
      'missing batch-signer Storage:Inputs:0:Path @ file:6:29',
      'invalid batch-signer Storage:Inputs:0:PollIntervalSeconds @ file:6:57',
      'invalid batch-signer Encryption:Mode @ CHANCELA__BATCH_SIGNER__ENCRYPTION__MODE',
      'missing pki-core Authority:Url @ not given',
    ])
    const sentences = Object.fromEntries(problems.map(({ key, sentence }) => [key, sentence]))
    expect(sentences).toMatchObject({
      'batch-singer': expect.stringContaining('did you mean batch-signer?'),
      'common Http:Prot': expect.stringContaining('did you mean Http:Port?'),
      'batch-signer Storage:Inputs:0:Pth': expect.stringContaining('did you mean Storage:Inputs:0:Path?'),
      'batch-signer SIGNING:MAXBYTES': expect.stringContaining('did you mean Upload:MaxBytes?'),
      'batch-signer Http:Port': 'must be an integer from 0 to 65535, is 70000',
      'batch-signer Upload:Enabled': 'must be true or false, is "yes"',
      'batch-signer Encryption:Mode': 'must be one of "off", "on", "auto", is "maybe"',
      'pki-core Authority:Url': expect.stringContaining('CHANCELA__PKI_CORE__Authority__Url'),
    })
  })

  test('stop the start with one printable problem that names the first key', () => {
    const attempt = () => load({ environment: { CHANCELA__BATCH_SIGNER__HTTP__PORT: 'x' } })
    expect(attempt).toThrow(StartupProblem)
    try {
      attempt()
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigurationProblems)
      expect((error as ConfigurationProblems).setting).toBe('batch-signer Http:Port')
      expect((error as ConfigurationProblems).message.split('\n')).toHaveLength(2)
    }
  })

  test('never show a secret', () => {
    const key = 'short-secret'
    const given = { environment: { CHANCELA__BATCH_SIGNER__AUTH__APIKEY: key } }
    expect(JSON.stringify(problemsIn(given))).not.toContain(key)
    expect(problemsIn(given)).toMatchObject([{ kind: 'invalid', key: 'batch-signer Auth:ApiKey' }])
  })

  test('of a lower source are no problem once a higher one replaced them', () => {
    const file = { 'batch-signer': { Http: { Port: 'x' } } }
    expect(problemsIn({ file, environment: { CHANCELA__BATCH_SIGNER__HTTP__PORT: '1' } })).toStrictEqual([])
  })

  test('under common are told once although they are wrong for several services', () => {
    const file = fileWith({ common: { Http: { Port: -1 }, Authority: { Url: 'x' } } })
    expect(problemsOf({ schemas: both, file, environment: {} })).toMatchObject([
      { kind: 'invalid', key: 'common Http:Port' },
    ])
  })

  test.each([
    ['a section given as a value', { 'batch-signer': { Http: 8080 } }, 'batch-signer Http'],
    ['a service given as a value', { 'batch-signer': 8080 }, 'batch-signer'],
    ['null', { 'batch-signer': { Http: { Port: null } } }, 'batch-signer Http:Port'],
    ['an object for a value', { 'batch-signer': { Http: { Port: {} } } }, 'batch-signer Http:Port'],
    ['a fraction for an integer', { 'batch-signer': { Http: { Port: 1.5 } } }, 'batch-signer Http:Port'],
    ['a value for a list', { 'batch-signer': { Http: { TrustedProxies: 'x' } } }, 'batch-signer Http:TrustedProxies'],
    [
      'a wrong value in a record',
      { 'batch-signer': { Encryption: { Levels: { a: 'x' } } } },
      'batch-signer Encryption:Levels',
    ],
  ])('include %s', (_, file, key) => {
    expect(problemsIn({ file })).toMatchObject([{ kind: 'invalid', key }])
  })

  test('include a name of the prototype', () => {
    const file = '{ "batch-signer": { "__proto__": { "Port": 1 }, "constructor": 1 }, "toString": {} }'
    expect(problemsIn({ file }).map(({ kind, key }) => `${kind} ${key}`)).toStrictEqual([
      'unknown toString',
      'unknown batch-signer __proto__',
      'unknown batch-signer constructor',
    ])
  })

  test('include variables that contradict each other', () => {
    const port = 'CHANCELA__BATCH_SIGNER__HTTP__PORT'
    expect(problemsIn({ environment: { [port]: '1', [port.toLowerCase()]: '2' } })).toMatchObject([
      { kind: 'conflict' },
    ])
    const list = 'CHANCELA__BATCH_SIGNER__HTTP__TRUSTEDPROXIES'
    expect(problemsIn({ environment: { [list]: '[]', [`${list}__0`]: 'x' } })).toMatchObject([{ kind: 'conflict' }])
  })

  test('include elements that do not count up from 0, and a list that is not JSON', () => {
    const list = 'CHANCELA__BATCH_SIGNER__HTTP__TRUSTEDPROXIES'
    const key = 'batch-signer Http:TrustedProxies'
    expect(problemsIn({ environment: { [`${list}__1`]: 'x' } })).toMatchObject([{ kind: 'invalid', key }])
    expect(problemsIn({ environment: { [list]: '10.0.0.1,10.0.0.2' } })).toMatchObject([{ kind: 'invalid', key }])
  })

  test('include a file that is absent, not UTF-8, not JSON or not an object, and then call nothing missing', () => {
    const latin1 = join(folder(), 'latin1.json')
    writeFileSync(latin1, Buffer.from([0x7b, 0xe7, 0x7d]))
    const kindsWith = (file: string) =>
      problemsOf({ schemas: both, file, environment: {} }).map(
        ({ kind, source }) => `${kind} ${source.replace(file, 'file')}`,
      )
    expect(kindsWith(join(folder(), 'absent.json'))).toStrictEqual(['unreadable file'])
    expect(kindsWith(latin1)).toStrictEqual(['unreadable file'])
    expect(kindsWith(fileWith('{\n  "common": {},\n}'))).toStrictEqual(['syntax file:3:1'])
    expect(kindsWith(fileWith('[]'))).toStrictEqual(['syntax file'])
  })

  test('do not loop or throw whatever the environment holds', () => {
    const name = fc.array(
      fc.constantFrom('COMMON', 'BATCH_SIGNER', 'HTTP', 'Port', 'INPUTS', 'STORAGE', '0', 'FILE', '', '__proto__'),
    )
    const variables = fc.dictionary(
      name.map((parts) => `CHANCELA__${parts.join('__')}`),
      fc.string(),
    )
    fc.assert(
      fc.property(variables, (environment) => {
        expect(typeof checkSettings({ schemas: alone, environment }).ok).toBe('boolean')
      }),
    )
  })
})

describe('rules across settings', () => {
  const rules = {
    'batch-signer': [
      ({ Http, Upload }: { Http: { Port: number }; Upload: { Enabled: boolean } }) =>
        Upload.Enabled && Http.Port === 1 ? [{ key: 'Http:Port', sentence: 'must not be 1 while uploads are on' }] : [],
    ],
  }

  test('are problems like the others, told with the place of the setting', () => {
    const environment = { CHANCELA__BATCH_SIGNER__HTTP__PORT: '1' }
    expect(problemsOf({ schemas: alone, rules, environment })).toStrictEqual([
      {
        kind: 'invalid',
        key: 'batch-signer Http:Port',
        source: 'CHANCELA__BATCH_SIGNER__HTTP__PORT',
        sentence: 'must not be 1 while uploads are on',
      },
    ])
  })

  test('are not asked while a setting is wrong by itself', () => {
    const environment = { CHANCELA__BATCH_SIGNER__HTTP__PORT: '1', CHANCELA__BATCH_SIGNER__UPLOAD__MAXBYTES: '1' }
    expect(problemsOf({ schemas: alone, rules, environment })).toMatchObject([{ key: 'batch-signer Upload:MaxBytes' }])
  })
})

test('a setting without a description, or with a name no variable can spell, is a mistake of the program', () => {
  const bad = (Port: unknown, name = 'Port') => ({ x: Type.Object({ Http: Type.Object({ [name]: Port as never }) }) })
  expect(() => loadSettings({ schemas: bad(Type.Integer({ default: 1 })), environment: {} })).toThrow(/no description/)
  const named = bad(Type.Integer({ default: 1, description: 'x' }), 'Port__Min')
  expect(() => loadSettings({ schemas: named, environment: {} })).toThrow(/PascalCase/)
})
