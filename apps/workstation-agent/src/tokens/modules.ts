// The software of vendors that brings a PKCS#11 module, and where its installers put it (workstation-agent facts 1).
// Modules of cloud certificates are not here: loading one may open a window, or the network.
import { existsSync } from 'node:fs'

/** Systems whose usual places are known. */
export type KnownPlatform = 'linux' | 'win32' | 'darwin'

export interface Middleware {
  readonly id: string
  readonly vendor: string
  /** What a holder installs. */
  readonly software: string
  /** The usual places, the likeliest first. On Windows with `%Variables%`. */
  readonly paths: Readonly<Record<KnownPlatform, readonly string[]>>
}

/** Vendors' own before those that many cards have in common. */
export const middlewares = [
  {
    id: 'safenet',
    vendor: 'Thales (SafeNet)',
    software: 'SafeNet Authentication Client',
    paths: {
      linux: [
        '/usr/lib/libeTPkcs11.so',
        '/usr/lib64/libeTPkcs11.so',
        '/usr/lib/libeToken.so',
        '/usr/lib64/libeToken.so',
      ],
      win32: ['%SystemRoot%\\System32\\eTPKCS11.dll'],
      darwin: [
        '/usr/local/lib/libeTPkcs11.dylib',
        '/Library/Frameworks/eToken.framework/Versions/Current/libeToken.dylib',
        '/Library/Frameworks/eToken.framework/Versions/A/libeToken.dylib',
      ],
    },
  },
  {
    id: 'idprime',
    vendor: 'Thales (Gemalto)',
    software: 'SafeNet Authentication Client or IDGo 800',
    paths: {
      linux: ['/usr/lib/libIDPrimePKCS11.so', '/usr/lib64/libIDPrimePKCS11.so', '/usr/lib/pkcs11/libIDPrimePKCS11.so'],
      win32: [
        '%ProgramFiles%\\SafeNet\\Authentication\\SAC\\x64\\IDPrimePKCS1164.dll',
        '%ProgramFiles%\\Gemalto\\IDGo 800 PKCS#11\\IDPrimePKCS1164.dll',
      ],
      darwin: ['/usr/local/lib/libidprimepkcs11.0.dylib', '/usr/local/lib/pkcs11/libidprimepkcs11.dylib'],
    },
  },
  {
    id: 'safesign',
    vendor: 'A.E.T. Europe (Giesecke+Devrient StarSign)',
    software: 'SafeSign Identity Client',
    paths: {
      linux: [
        '/usr/lib/libaetpkss.so',
        '/usr/lib/libaetpkss.so.3',
        '/usr/lib64/libaetpkss.so',
        '/usr/lib64/libaetpkss.so.3',
      ],
      win32: ['%SystemRoot%\\System32\\aetpkss1.dll'],
      darwin: ['/usr/local/lib/libaetpkss.dylib', '/Applications/tokenadmin.app/Contents/Frameworks/libaetpkss.dylib'],
    },
  },
  {
    id: 'watchdata',
    vendor: 'Watchdata',
    software: 'Watchdata ICP-Brasil driver (WatchKey, ProxKey)',
    paths: {
      linux: [
        '/usr/lib/watchdata/ICP/lib/libwdpkcs_icp.so',
        '/usr/lib/watchdata/lib/libwdpkcs.so',
        '/opt/watchdata/lib64/libwdpkcs.so',
        '/usr/local/lib64/libwdpkcs.so',
        '/usr/local/lib/libwdpkcs.so',
        '/usr/lib/libwdpkcs.so',
        '/usr/lib/WatchData/ProxKey/lib/libwdpkcs_SignatureP11.so',
      ],
      win32: [
        '%SystemRoot%\\System32\\Watchdata\\Watchdata ICP CSP v1.0\\WDPKCS.dll',
        '%SystemRoot%\\System32\\Watchdata\\Watchdata Brazil CSP v1.0\\WDPKCS.dll',
        '%SystemRoot%\\System32\\WDPKCS.dll',
        '%SystemRoot%\\System32\\WDICP_P11_CCID_v34.dll',
        '%SystemRoot%\\System32\\SignatureP11.dll',
      ],
      darwin: [
        '/usr/local/lib/libwdpkcs.dylib',
        '/usr/lib/libwdpkcs.dylib',
        '/Applications/WatchKey USB Token Admin Tool.app/Contents/MacOS/lib/libWDP11_BR_GOV.dylib',
      ],
    },
  },
  {
    id: 'epass2003',
    vendor: 'Feitian',
    software: 'ePass2003 driver',
    paths: {
      linux: [
        '/usr/lib/libcastle.so.1.0.0',
        '/usr/lib/libcastle_v2.so.1.0.0',
        '/usr/lib/ePass2003-Linux-x64/x86_64/redist/libcastle.so.1.0.0',
      ],
      win32: ['%SystemRoot%\\System32\\eps2003csp11.dll'],
      darwin: ['/usr/local/lib/libcastle.1.0.0.dylib', '/usr/local/lib/libcastle_v2.1.0.0.dylib'],
    },
  },
  {
    id: 'awp',
    vendor: 'IDEMIA (Oberthur)',
    software: 'AWP Identity Manager',
    paths: {
      linux: ['/usr/local/AWP/lib/libOcsCryptoki.so', '/usr/lib/libOcsCryptoki.so'],
      win32: ['%SystemRoot%\\System32\\OcsCryptoki.dll'],
      darwin: [],
    },
  },
  {
    id: 'idprotect',
    vendor: 'Athena',
    software: 'IDProtect Client',
    paths: {
      linux: ['/usr/lib/x64-athena/libASEP11.so', '/usr/lib/libASEP11.so'],
      win32: ['%SystemRoot%\\System32\\asepkcs.dll'],
      darwin: ['/Library/Application Support/Athena/libASEP11.dylib', '/usr/local/lib/libASEP11.dylib'],
    },
  },
  {
    id: 'dxsafe',
    vendor: 'Dexon',
    software: 'DXSafe',
    paths: {
      linux: ['/etc/Dexon/DXSafe/libDXSafePKCS11.X64.so', '/usr/lib/libDXSafePKCS11.x64.so'],
      win32: ['%SystemRoot%\\System32\\DXSafePKCS11.dll'],
      darwin: ['/Applications/DXSafe/libDXSafePKCS11.dylib'],
    },
  },
  {
    id: 'charismathics',
    vendor: 'Charismathics',
    software: 'Charismathics Smart Security Interface',
    paths: { linux: ['/usr/lib/libcmP11.so'], win32: ['%SystemRoot%\\System32\\cmP11.dll'], darwin: [] },
  },
  {
    id: 'opensc',
    vendor: 'OpenSC',
    software: 'OpenSC',
    paths: {
      linux: [
        '/usr/lib/x86_64-linux-gnu/pkcs11/opensc-pkcs11.so',
        '/usr/lib/aarch64-linux-gnu/pkcs11/opensc-pkcs11.so',
        '/usr/lib/x86_64-linux-gnu/opensc-pkcs11.so',
        '/usr/lib/aarch64-linux-gnu/opensc-pkcs11.so',
        '/usr/lib64/pkcs11/opensc-pkcs11.so',
        '/usr/lib64/opensc-pkcs11.so',
        '/usr/lib/pkcs11/opensc-pkcs11.so',
        '/usr/lib/opensc-pkcs11.so',
        '/usr/local/lib/opensc-pkcs11.so',
      ],
      win32: ['%ProgramFiles%\\OpenSC Project\\OpenSC\\pkcs11\\opensc-pkcs11.dll'],
      darwin: [
        '/Library/OpenSC/lib/opensc-pkcs11.so',
        '/opt/homebrew/lib/opensc-pkcs11.so',
        '/usr/local/lib/opensc-pkcs11.so',
      ],
    },
  },
  {
    id: 'softhsm',
    vendor: 'SoftHSM',
    software: 'SoftHSM 2',
    paths: {
      linux: [
        '/usr/lib/softhsm/libsofthsm2.so',
        '/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so',
        '/usr/lib/aarch64-linux-gnu/softhsm/libsofthsm2.so',
        '/usr/lib64/softhsm/libsofthsm2.so',
        '/usr/lib64/pkcs11/libsofthsm2.so',
        '/usr/local/lib/softhsm/libsofthsm2.so',
      ],
      win32: ['C:\\SoftHSM2\\lib\\softhsm2-x64.dll'],
      darwin: ['/opt/homebrew/lib/softhsm/libsofthsm2.so', '/usr/local/lib/softhsm/libsofthsm2.so'],
    },
  },
] as const satisfies readonly Middleware[]

export type MiddlewareId = (typeof middlewares)[number]['id']

/** The computer, as far as the tables need it. */
export interface Machine {
  readonly platform: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly exists: (path: string) => boolean
}

export const thisMachine: Machine = { platform: process.platform, environment: process.env, exists: existsSync }

/** The usual places of a module on a machine. */
export function usualPaths({ paths }: Middleware, { platform, environment }: Machine): readonly string[] {
  const places: readonly string[] = paths[platform as KnownPlatform] ?? []
  return places.map((place) => place.replace(/%(\w+)%/g, (_, name: string) => variable(name, environment)))
}

/** Windows sets these everywhere; their usual values, where a service has an environment of its own. */
const usualValues: Readonly<Record<string, string>> = { SystemRoot: 'C:\\Windows', ProgramFiles: 'C:\\Program Files' }

/** Names of variables are without case on Windows. */
function variable(name: string, environment: Machine['environment']): string {
  const known = Object.entries(environment).find(([key]) => key.toLowerCase() === name.toLowerCase())
  return known?.[1] ?? usualValues[name]!
}

/** The module of an installed middleware: the first of its places where a file is. */
export const installedModule = (middleware: Middleware, machine: Machine): string | undefined =>
  usualPaths(middleware, machine).find(machine.exists)
