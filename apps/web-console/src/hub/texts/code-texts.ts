import { codeTexts as ofEveryConsole } from '../../console/texts/code-texts.ts'
import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  ...ofEveryConsole['en-US'],
  PROVIDER_NOT_FOUND: 'This provider is gone. Somebody may have removed it.',
  PROVIDER_NAME_INVALID:
    'A service name has letters, digits, points, hyphens and underscores, and begins with a letter or a digit.',
  PROVIDER_NAME_TAKEN: 'Another provider has this name.',
  PROVIDER_ENDPOINT_REFUSED:
    'The hub does not call this address: it takes https and public addresses, and those the setting Providers:AllowedHosts names.',
  PROVIDER_PRESET_UNKNOWN: 'There is no such preset.',
  PROVIDER_BADGE_REFUSED: 'The logo needs an https address, or none.',
  PROVIDER_PROXY_REFUSED:
    'The hub does not use this proxy: it takes http://user:password@host:port or https, at public addresses and at those the setting Providers:AllowedProxies names.',
  PROVIDER_KNOBS_INVALID: 'One of the advanced settings is not as the protocol takes it.',
  PROVIDER_TLS_KEY_INVALID: 'The TLS key and the TLS certificate do not belong together.',
  PROVIDER_IN_USE: 'Live sessions rest on this provider. Disable it, and remove it later.',
  PROVIDER_REGISTRATION_UNKNOWN: 'The protocol of this provider has no registration.',
  PROVIDER_REGISTRATION_FAILED: 'The provider did not register the hub.',
  REDIRECT_URI_INVALID:
    'A redirect URI is absolute and https (http on this machine only), without user, password and fragment.',
  REDIRECT_URI_NOT_FOUND: 'The key has no such redirect URI any more.',
  SESSION_NOT_FOUND: 'This session has ended meanwhile.',

  InvalidRedirectUri: 'The redirect URI was not absolute.',
  UnauthorizedRedirectUri: 'The redirect URI was not registered for the key.',
  IdentifierRequiredToDiscover: 'Discovery was asked for without a CPF or CNPJ.',
  ServiceNotFound: 'No provider has that name.',
  DigestAlgorithmNameOrOidIsRequired: 'No digest algorithm was given.',
  InvalidDigestAlgorithm: 'The digest algorithm is not known, or not allowed.',
  SessionInvalidOrAlreadyUsed: 'The session was unknown, used, or not accepted by the provider any more.',
  SessionExpired: 'The lifetime of the session was over.',
  CertificateNotFound: 'The holder had no valid certificate at the provider.',
  CertificateAliasNotFound: 'The holder had no certificate with that alias.',
  TooManyHashes: 'More hashes at once than the session or the provider signs.',
  HashNotAuthorized: 'The holder had authorized other hashes.',
  IdempotencyKeyReused: 'The Idempotency-Key had come with another request before.',
  InvalidRequest: 'A field was missing or malformed.',
  Unauthorized: 'The key was missing or unknown.',
  NotFound: 'No operation answers this method and path.',
  TooManyRequests: 'Too many requests.',
  ServerBusy: 'The hub had as much to do as it takes.',
  UnexpectedError: 'Something went wrong inside the hub. The request in the log tells more.',
  ProviderUnavailable: 'The provider could not be reached, or was left alone after failures.',
  ProviderTimeout: 'The provider did not answer in time; it may have signed.',
  ProviderConnectionLost: 'The connection to the provider broke before its answer; it may have signed.',
  ProviderError: 'The provider failed, or answered what its protocol does not allow.',
  ProviderMisconfigured: 'The provider does not accept the hub. Look at client id, secret and callback.',
  InvalidProviderSignature: 'What the provider signed did not fit the certificate.',
} as const

/** The explanation of each error code: the console's own, and those of audited calls. */
export const codeTexts: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    ...ofEveryConsole['pt-BR'],
    PROVIDER_NOT_FOUND: 'Este provedor não existe mais. Alguém pode tê-lo removido.',
    PROVIDER_NAME_INVALID:
      'O nome do serviço tem letras, dígitos, pontos, hífens e sublinhados, e começa com letra ou dígito.',
    PROVIDER_NAME_TAKEN: 'Outro provedor tem este nome.',
    PROVIDER_ENDPOINT_REFUSED:
      'O hub não chama este endereço: aceita https e endereços públicos, e os que a configuração Providers:AllowedHosts nomeia.',
    PROVIDER_PRESET_UNKNOWN: 'Este modelo não existe.',
    PROVIDER_BADGE_REFUSED: 'O logotipo precisa de um endereço https, ou de nenhum.',
    PROVIDER_PROXY_REFUSED:
      'O hub não usa este proxy: aceita http://usuário:senha@host:porta ou https, em endereços públicos e nos que a configuração Providers:AllowedProxies nomeia.',
    PROVIDER_KNOBS_INVALID: 'Um dos ajustes avançados não é como o protocolo aceita.',
    PROVIDER_TLS_KEY_INVALID: 'A chave e o certificado de TLS não correspondem.',
    PROVIDER_IN_USE: 'Há sessões ativas deste provedor. Desative-o e remova-o mais tarde.',
    PROVIDER_REGISTRATION_UNKNOWN: 'O protocolo deste provedor não tem cadastro.',
    PROVIDER_REGISTRATION_FAILED: 'O provedor não cadastrou o hub.',
    REDIRECT_URI_INVALID:
      'Uma URI de retorno é absoluta e https (http só nesta máquina), sem usuário, senha e fragmento.',
    REDIRECT_URI_NOT_FOUND: 'A chave não tem mais esta URI de retorno.',
    SESSION_NOT_FOUND: 'Esta sessão terminou nesse meio-tempo.',

    InvalidRedirectUri: 'A URI de retorno não era absoluta.',
    UnauthorizedRedirectUri: 'A URI de retorno não estava cadastrada para a chave.',
    IdentifierRequiredToDiscover: 'A busca foi pedida sem CPF ou CNPJ.',
    ServiceNotFound: 'Nenhum provedor tem esse nome.',
    DigestAlgorithmNameOrOidIsRequired: 'Nenhum algoritmo de resumo foi informado.',
    InvalidDigestAlgorithm: 'O algoritmo de resumo não é conhecido ou não é permitido.',
    SessionInvalidOrAlreadyUsed: 'A sessão era desconhecida, já usada ou não mais aceita pelo provedor.',
    SessionExpired: 'O tempo da sessão havia acabado.',
    CertificateNotFound: 'O titular não tinha certificado válido no provedor.',
    CertificateAliasNotFound: 'O titular não tinha certificado com esse alias.',
    TooManyHashes: 'Mais hashes de uma vez do que a sessão ou o provedor assina.',
    HashNotAuthorized: 'O titular havia autorizado outros hashes.',
    IdempotencyKeyReused: 'A Idempotency-Key já tinha vindo com outra requisição.',
    InvalidRequest: 'Um campo faltava ou estava malformado.',
    Unauthorized: 'A chave faltava ou era desconhecida.',
    NotFound: 'Nenhuma operação responde a este método e caminho.',
    TooManyRequests: 'Requisições demais.',
    ServerBusy: 'O hub estava tão ocupado quanto aceita.',
    UnexpectedError: 'Algo falhou dentro do hub. A requisição no registro diz mais.',
    ProviderUnavailable: 'O provedor não pôde ser alcançado ou estava em pausa após falhas.',
    ProviderTimeout: 'O provedor não respondeu a tempo; pode ter assinado.',
    ProviderConnectionLost: 'A conexão com o provedor caiu antes da resposta; pode ter assinado.',
    ProviderError: 'O provedor falhou ou respondeu o que o protocolo não permite.',
    ProviderMisconfigured: 'O provedor não aceita o hub. Veja o client id, o segredo e o retorno.',
    InvalidProviderSignature: 'O que o provedor assinou não correspondia ao certificado.',
  },
}
