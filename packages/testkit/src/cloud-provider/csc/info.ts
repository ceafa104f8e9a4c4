import type { CscOperation } from './csc-context.ts'

const methods = [
  'info',
  'oauth2/authorize',
  'oauth2/token',
  'oauth2/revoke',
  'credentials/list',
  'credentials/info',
  'credentials/authorize',
  'credentials/extendTransaction',
  'signatures/signHash',
]

/** Description of the server; no token needed. */
export const info: CscOperation = ({ version, base, provider: { name, baseUrl }, quirks: { missingMethods } }) => ({
  specs: version.specs,
  name,
  logo: `${baseUrl}/logo.png`,
  region: 'BR',
  lang: 'pt-BR',
  description: `${name}: certificados em nuvem para demonstração e testes`,
  authType: ['oauth2code'],
  ...version.authorizationServer(base),
  methods: methods.filter((method) => !missingMethods.includes(method)),
  ...version.info,
})
