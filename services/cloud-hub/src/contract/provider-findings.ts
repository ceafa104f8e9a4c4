// What the hub may find at a provider: a code and its facts, so that each page says it in its reader's language.

/** The code → one English sentence without secrets, for logs and the command line; `{name}` is a fact. */
export const providerFindings = {
  // Why a call failed (`ProviderProblemKind`).
  unavailable: 'The provider cannot be reached.',
  proxy: 'The proxy on the way to the provider failed or refused.',
  timeout: 'The provider did not answer in time.',
  lost: 'The connection to the provider broke before its answer.',
  garbage: 'The provider failed, or answered what its protocol does not allow.',
  'token-refused': 'The provider does not accept the token any more.',
  'code-refused': 'The provider does not accept the authorization code.',
  misconfigured: 'The provider does not accept the credentials of this hub.',
  refused: 'The provider refused the request.',
  'alias-unknown': 'The provider knows no certificate with this alias.',
  'hash-not-authorized': 'The holder authorized other hashes.',
  'too-many-hashes': 'The provider does not sign so many hashes at once.',
  'signature-wrong': 'The signature does not fit the hash and the certificate.',

  // What it answered.
  answered: 'It answered {status}.',
  'answered-code': 'It answered {status} ({code}).',
  'left-alone': 'The provider is left alone after failures.',

  // Network and TLS.
  'connection-refused': 'Nothing listens at its address ({code}).',
  'name-unknown': 'Its name leads to no address ({code}).',
  'no-way': 'No way leads to its address ({code}).',
  'connection-cut': 'The connection was cut ({code}).',
  'tls-expired': 'Its TLS certificate has expired ({code}).',
  'tls-other-name': 'Its TLS certificate is for another name ({code}).',
  'tls-untrusted': 'Its TLS certificate is of no authority that is known here ({code}).',
  'network-code': 'The network says {code}.',
  'address-refused': 'Its address must not be called: it is not public, or a redirect leads there.',
  'no-connection': 'No connection came about.',
  'no-tls': 'No TLS connection came about.',
  'answer-broken': 'The answer cannot be read.',
  'answer-too-long': 'The answer is too long.',
  'answer-leads-on': 'The answer leads on and on.',
  'never-connected': 'No connection came about in time.',

  // A proxy on the way.
  'no-tunnel': 'No tunnel was open in time.',
  'proxy-answered': 'The proxy answered {status}.',
  'proxy-forbids': 'The proxy answered {status}: it does not let the hub call this address.',
  'proxy-wants-credentials': 'The proxy answered {status}: it does not accept the user and the password.',
  'proxy-reaches-nobody': 'The proxy answered {status}: it does not reach the provider.',

  // Answers that do not hold together.
  'not-json': 'The answer is not JSON.',
  'answer-lacks': 'The answer of {call} lacks something.',
  'no-token': 'The answer holds no token.',
  'token-too-long': 'The answer holds too long a token.',
  'no-code': 'The answer holds no code.',
  'code-too-long': 'The answer holds too long a code.',
  'no-credentials': 'The answer holds no credentials.',
  'no-discovery-status': 'The answer to discovery has no status.',
  'holds-nobody': 'It says that it holds a certificate of nobody.',
  'certificate-unreadable': 'A certificate cannot be read.',
  'provider-not-signing': 'The provider does not sign {digest}.',

  // Credentials (CSC).
  'asks-for-pin':
    'The credential wants its PIN or OTP from the application (mode explicit), which the hub never asks for.',
  'mode-unknown': 'The credential has no known authorization mode.',
  'of-somebody-else': 'The credentials are of somebody else than the client asked for.',
  'none-can-sign': 'The holder has no credential that can sign now.',
  'wants-known-hashes':
    'The credential is authorized for known hashes only (SCAL2), and the session was created without any.',
  'other-credential': 'It authorized another credential than it was asked for.',
  'credential-not-signing': 'The credential does not sign {digest}.',
  'no-authorization-server': 'Its info names no usable authorization server; the knob oauthBase can.',

  // Signatures.
  'signature-missing': 'A signature is missing.',
  'signature-unfit': 'The signature does not fit; nothing more can be told.',
  'signature-of-another-key': 'Another key made it, or it is no PKCS#1 v1.5 signature.',
  'bare-digest-signed': 'The bare digest was signed, without its DigestInfo.',
  'no-digest-signed': 'What was signed is neither a DigestInfo nor the digest.',
  'digest-hashed-again': 'The digest was hashed once more.',
  'digest-text-hashed': 'The text of the digest was hashed.',
  'other-digest-signed': 'Another digest was signed.',
  'other-algorithm-signed': 'The digest was signed under the algorithm {oid} instead of {expected}.',

  // What a test of the connection finds well, or not.
  'answers-in': 'The provider answers in {milliseconds} ms.',
  'tls-well': 'TLS is well.',
  'without-tls': 'The connection is without TLS.',
  'credentials-accepted': 'The provider accepts the credentials of this hub.',
  'discovery-answers': 'The provider answers to discovery.',
  'server-answers': 'The server answers.',
  'speaks-version': 'It speaks version {told}, the knob says {version}.',
  'speaks-something-else': 'It does not say which version it speaks; the knob says {version}.',
  'authorization-server-known': 'Its authorization server is known.',
  'authorization-server-unknown': 'It names no usable authorization server.',
  'methods-there': 'All methods that are needed.',
  'methods-missing': 'It does not offer {methods}.',
} as const satisfies Readonly<Record<string, string>>

export type FindingCode = keyof typeof providerFindings

type Facts = Readonly<Record<string, string | number>>

/** One sentence on a provider, as data. */
export interface Finding {
  readonly code: FindingCode
  readonly facts: Facts
}

export const finding = (code: FindingCode, facts: Facts = {}): Finding => ({ code, facts })

/** What a test of a connection tries, in the order tried. */
export const checkNames = [
  'connection',
  'client_token',
  'user-discovery',
  'info',
  'version',
  'oauth2',
  'methods',
] as const

export type CheckName = (typeof checkNames)[number]

export const inEnglish = (findings: readonly Finding[]): string =>
  findings
    .map(({ code, facts }) => providerFindings[code].replaceAll(/\{(\w+)\}/g, (_, name) => String(facts[name] ?? '')))
    .join(' ')
