import type { DegreeData } from '../representations/contents/shapes.ts'
import { badge, type CredentialInput, courseId, courseParts, profileOf } from './badge.ts'
import { WalletProblem } from './errors.ts'
import { seconds } from './status-list.ts'

/** The degree as a credential that a wallet can hold. */
export function degreeCredential(input: CredentialInput<DegreeData>) {
  const { data } = input
  const start = startOf(data)
  return badge(input, {
    name: titleOf(data),
    document: 'diploma digital',
    issuer: data.dadosDiploma.iesEmissora,
    person: data.dadosDiploma.diplomado,
    start,
    subject: { achievement: achievementOf(input), awardedDate: seconds(start) },
  })
}

/** The degree is one from its registration, or from its expedition where no registration is told. */
function startOf({ dadosRegistro: { livroRegistro } }: DegreeData): Date {
  const day = livroRegistro.dataRegistroDiploma ?? livroRegistro.dataExpedicaoDiploma
  if (day === undefined) throw new WalletProblem('date.missing')
  return new Date(`${day.slice(0, 10)}T00:00:00Z`)
}

function titleOf({ dadosDiploma: { dadosCurso } }: DegreeData): string {
  const { titulo, outroTitulo } = dadosCurso.tituloConferido ?? {}
  return [outroTitulo ?? titulo, dadosCurso.nomeCurso].filter(Boolean).join(' em ')
}

/** The terms of Open Badges nearest to the degrees of the layouts. */
const achievementTypes: Readonly<Record<string, string>> = {
  Bacharelado: 'BachelorDegree',
  Licenciatura: 'Degree',
  Tecnólogo: 'Degree',
  'Curso sequencial': 'Diploma',
}

function achievementOf(input: CredentialInput<DegreeData>) {
  const { dadosCurso, iesEmissora } = input.data.dadosDiploma
  const { nomeCurso, grauConferido, modalidade } = dadosCurso
  const details = [grauConferido, modalidade].filter(Boolean).join(', ')
  return {
    id: courseId(dadosCurso, input.publicUrl),
    type: ['Achievement'],
    achievementType: achievementTypes[grauConferido ?? ''] ?? 'Degree',
    name: nomeCurso,
    description: `Curso superior de ${nomeCurso}${details && ` (${details})`} da instituição ${iesEmissora.nome}.`,
    criteria: {
      narrative:
        'Integralização do currículo do curso, colação de grau e registro do diploma, conforme a legislação brasileira da educação superior.',
    },
    creator: profileOf(iesEmissora, input),
    ...courseParts(dadosCurso),
  }
}
