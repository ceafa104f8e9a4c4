import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  outcomes: {
    Success: 'Succeeded',
    CertificateNotYetValid: 'certificate not valid yet',
    CertificateExpired: 'certificate expired',
    CertificateRevoked: 'certificate revoked',
    CertificateIssuerNotFound: 'issuer not found',
    CertificateRevocationStatusUnknown: 'revocation status unknown',
    CertificateChainRootNotTrusted: 'root not trusted',
    InvalidCertificateSignature: 'certificate not signed by its issuer',
    DecodeError: 'no certificate',
    SignatureAlgorithmValidationFailed: 'signature of another key',
    InvalidKeyUsage: 'certificate not for this use',
    UnauthorizedIssuer: 'issuer is no authority',
    CertificateIssuerValid: 'issuer valid',
    CertificateIssuerInvalid: 'issuer not valid',
    CertificateValidationFailed: 'certificate failed validation',
    InvalidCertificationPathLen: 'path too long',
    AlgorithmNotAllowed: 'algorithm not accepted',
  },
  authentications: {
    title: 'Authentications',
    lead: 'Who showed a certificate and its key, newest first. CPFs are masked.',
    filters: 'Filter the authentications',
    empty: 'No authentication yet',
    emptyText: 'Each one that was judged is written down here.',
    outcome: 'Outcome',
    outcomes: {
      succeeded: 'Succeeded',
      failed: 'Failed',
    },
    nobody: 'nobody',
    generation: {
      Second: 'second generation',
      Earlier: 'earlier generation',
    },
    columns: {
      subject: 'Holder',
      outcome: 'Outcome',
      application: 'Application',
      context: 'Security context',
      at: 'Time',
    },
  },
  problems: {
    title: 'Failed calls',
    lead: 'Calls that failed inside the service. Whoever was told an exceptionCode is found by it; the log has the same code as correlationId.',
    filters: 'Find a failed call',
    empty: 'No failed call',
    emptyText: 'Nothing failed inside the service lately.',
    where: 'Where',
    columns: {
      problem: 'What was thrown',
      path: 'Path',
      at: 'Time',
    },
  },
} as const

/** The texts of the pages of what happened. */
export const activityTexts: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    outcomes: {
      Success: 'Aceita',
      CertificateNotYetValid: 'certificado ainda não válido',
      CertificateExpired: 'certificado expirado',
      CertificateRevoked: 'certificado revogado',
      CertificateIssuerNotFound: 'emissor não encontrado',
      CertificateRevocationStatusUnknown: 'situação de revogação desconhecida',
      CertificateChainRootNotTrusted: 'raiz não confiável',
      InvalidCertificateSignature: 'certificado não assinado pelo emissor',
      DecodeError: 'não é um certificado',
      SignatureAlgorithmValidationFailed: 'assinatura de outra chave',
      InvalidKeyUsage: 'certificado não serve para isto',
      UnauthorizedIssuer: 'emissor não é autoridade',
      CertificateIssuerValid: 'emissor válido',
      CertificateIssuerInvalid: 'emissor inválido',
      CertificateValidationFailed: 'certificado reprovado na validação',
      InvalidCertificationPathLen: 'cadeia longa demais',
      AlgorithmNotAllowed: 'algoritmo não aceito',
    },
    authentications: {
      title: 'Autenticações',
      lead: 'Quem mostrou um certificado e sua chave, o mais recente primeiro. CPFs são mascarados.',
      filters: 'Filtrar as autenticações',
      empty: 'Nenhuma autenticação ainda',
      emptyText: 'Cada uma que foi julgada é anotada aqui.',
      outcome: 'Resultado',
      outcomes: {
        succeeded: 'Aceita',
        failed: 'Recusada',
      },
      nobody: 'ninguém',
      generation: {
        Second: 'segunda geração',
        Earlier: 'geração anterior',
      },
      columns: {
        subject: 'Titular',
        outcome: 'Resultado',
        application: 'Aplicação',
        context: 'Contexto de segurança',
        at: 'Hora',
      },
    },
    problems: {
      title: 'Chamadas com erro',
      lead: 'Chamadas que falharam dentro do serviço. Quem recebeu um exceptionCode é encontrado por ele; o log tem o mesmo código como correlationId.',
      filters: 'Encontrar uma chamada com erro',
      empty: 'Nenhuma chamada com erro',
      emptyText: 'Nada falhou dentro do serviço ultimamente.',
      where: 'Onde',
      columns: {
        problem: 'O que foi lançado',
        path: 'Caminho',
        at: 'Hora',
      },
    },
  },
}

declare module '../../shared/i18n/catalogue.ts' {
  interface Namespaces {
    'core-activity': typeof english
  }
}
