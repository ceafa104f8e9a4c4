import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  title: 'What needs attention',
  storage: 'The pipeline has paused itself since {{since}}: its storage cannot be written. Files wait; none fails.',
  reasons: {
    'key-missing': 'the profile has no certificate',
    'key-unavailable': 'the key cannot be opened',
    'token-unavailable': 'the token does not answer or is not there',
    'pin-refused': 'the token does not accept the PIN',
    'certificate-expired': 'the certificate has expired',
    'certificate-not-yet-valid': 'the certificate is not valid yet',
    'certificate-revoked': 'the certificate was revoked',
    'certificate-suspended': 'the certificate is suspended',
    'certificate-refused': 'the certificate is not accepted for signing',
    'revocation-unanswered': 'nobody answers whether the certificate is revoked',
    'recipients-unusable': 'a certificate to encrypt to is missing or has expired',
    'timestamp-unavailable': 'the timestamp authority gives no timestamp',
  },
  folderReasons: {
    'input-unavailable': 'the input folder cannot be used',
    'output-unavailable': 'the output folder cannot be used',
    'output-full': 'the output folder is full',
  },
  waiting_one: '{{shown}} file waits.',
  waiting_other: '{{shown}} files wait.',
  since: 'Held since {{since}}.',
  folderSince: 'Stopped since {{since}}.',
  next: 'Next try at {{at}}.',
  noNext: 'Not tried again by itself: correct it, or try now.',
  tryNow: 'Try {{profile}} now',
  stillHeld: '{{profile}} still cannot sign.',
  signsAgain: '{{profile}} signs again.',
  tryFolder: 'Try the folder {{folder}} now',
  stillStopped: 'The folder {{folder}} still cannot be used.',
  goesOn: 'The folder {{folder}} goes on.',
  expires: 'the certificate expires {{when}}',
  expired: 'the certificate expired {{when}}',
  until: '{{holder}}, valid until {{until}}.',
} as const

/** The texts of the band that tells of held profiles and folders and expiring certificates. */
export const conditionsTexts: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    title: 'O que pede atenção',
    storage:
      'O processamento pausou sozinho desde {{since}}: não é possível gravar no armazenamento. Os arquivos aguardam; nenhum falha.',
    reasons: {
      'key-missing': 'o perfil não tem certificado',
      'key-unavailable': 'a chave não pode ser aberta',
      'token-unavailable': 'o token não responde ou não está conectado',
      'pin-refused': 'o token não aceita o PIN',
      'certificate-expired': 'o certificado expirou',
      'certificate-not-yet-valid': 'o certificado ainda não é válido',
      'certificate-revoked': 'o certificado foi revogado',
      'certificate-suspended': 'o certificado está suspenso',
      'certificate-refused': 'o certificado não é aceito para assinar',
      'revocation-unanswered': 'ninguém responde se o certificado está revogado',
      'recipients-unusable': 'um certificado para o qual criptografar falta ou expirou',
      'timestamp-unavailable': 'a autoridade de carimbo do tempo não fornece carimbos',
    },
    folderReasons: {
      'input-unavailable': 'a pasta de entrada não pode ser usada',
      'output-unavailable': 'a pasta de saída não pode ser usada',
      'output-full': 'a pasta de saída está cheia',
    },
    waiting_one: '{{shown}} arquivo aguarda.',
    waiting_other: '{{shown}} arquivos aguardam.',
    since: 'Retido desde {{since}}.',
    folderSince: 'Parada desde {{since}}.',
    next: 'Próxima tentativa às {{at}}.',
    noNext: 'Não é tentado de novo sozinho: corrija, ou tente agora.',
    tryNow: 'Tentar {{profile}} agora',
    stillHeld: '{{profile}} ainda não consegue assinar.',
    signsAgain: '{{profile}} voltou a assinar.',
    tryFolder: 'Tentar a pasta {{folder}} agora',
    stillStopped: 'A pasta {{folder}} ainda não pode ser usada.',
    goesOn: 'A pasta {{folder}} voltou a funcionar.',
    expires: 'o certificado expira {{when}}',
    expired: 'o certificado expirou {{when}}',
    until: '{{holder}}, válido até {{until}}.',
  },
}

declare module '../../shared/i18n/catalogue.ts' {
  interface Namespaces {
    'batch-conditions': typeof english
  }
}
