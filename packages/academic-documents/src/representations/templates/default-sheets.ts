import type { FlowItem } from './blocks.ts'
import { defaultPalette } from './default-degree.ts'
import type { SheetTemplate } from './sheet-template.ts'

const head = (title: string): FlowItem[] => [
  {
    kind: 'text',
    text: '{{ies.nome}}',
    align: 'center',
    smallCaps: true,
    spacing: 25,
    bold: true,
    size: 17,
    color: 'primary',
    leading: 1.15,
    width: 130,
  },
  {
    kind: 'text',
    text: '{{?ies.credenciamento}}Credenciamento: {{ies.credenciamento}}{{/}}',
    align: 'center',
    italic: true,
    size: 8,
    color: 'quiet',
    width: 130,
    before: 0.4,
  },
  {
    kind: 'text',
    text: '{{?ies.recredenciamento}}Recredenciamento: {{ies.recredenciamento}}{{/}}',
    align: 'center',
    italic: true,
    size: 8,
    color: 'quiet',
    width: 130,
  },
  { kind: 'text', text: title, align: 'center', font: 'serif', size: 22, color: 'accent', before: 3 },
  { kind: 'divider', style: 'ornament', width: 80, color: 'accent', before: 1 },
]

const verification = (what: string): SheetTemplate['verification'] => ({
  side: 34,
  items: [
    { kind: 'text', text: `Verifique ${what}`, smallCaps: true, spacing: 20, bold: true, size: 12, color: 'primary' },
    { kind: 'text', text: 'Código de validação  **{{codigo}}**', font: 'sans', size: 9, before: 1 },
    { kind: 'text', text: '{{url}}', font: 'sans', size: 8, color: 'quiet' },
    {
      kind: 'text',
      text: 'Representação visual. O documento com validade jurídica é o arquivo XML assinado com certificados da ICP-Brasil, disponível no endereço acima.',
      font: 'sans',
      size: 7.5,
      color: 'quiet',
      before: 1,
    },
  ],
})

const common = {
  page: { width: 210, height: 297 },
  palette: { ...defaultPalette },
  margin: { side: 16, top: 22, bottom: 18 },
  firstSheet: [
    { kind: 'picture', picture: 'logo', x: 16, y: 16, width: 22, height: 22, optional: true },
    { kind: 'picture', picture: 'seal', x: 172, y: 16, width: 22, height: 22, optional: true },
  ],
  background: [
    { kind: 'panel', x: 0, y: 0, width: 210, height: 3, color: 'primary' },
    { kind: 'panel', x: 0, y: 3, width: 210, height: 0.8, color: 'accent' },
  ],
} satisfies Partial<SheetTemplate>

const fields = { kind: 'fields', columns: 4, font: 'sans', size: 8.6, labelColor: 'quiet' } as const

const additional: FlowItem[] = [
  {
    kind: 'text',
    text: 'Informações adicionais',
    smallCaps: true,
    spacing: 20,
    bold: true,
    size: 12,
    color: 'primary',
    before: 4,
    when: 'informacoesAdicionais',
  },
  {
    kind: 'text',
    text: '{{informacoesAdicionais}}',
    font: 'sans',
    size: 8.2,
    before: 0.8,
    when: 'informacoesAdicionais',
  },
]

/** A transcript on A4 upright. */
export const defaultTranscriptTemplate: SheetTemplate = {
  kind: 'transcript',
  ...common,
  head: [
    ...head('Histórico Escolar'),
    {
      ...fields,
      before: 4,
      rows: [
        { label: 'Nome', value: '**{{aluno.nome}}**', span: 3 },
        { label: 'Matrícula', value: '{{aluno.matricula}}' },
        { label: 'Nome civil', value: '{{?aluno.nomeSocial}}{{aluno.nomeCivil}}{{/}}', span: 4 },
        { label: 'CPF', value: '{{aluno.cpf}}' },
        { label: 'Documento', value: '{{aluno.documento}}', span: 2 },
        { label: 'Nascimento', value: '{{aluno.nascimentoCurto}}' },
        { label: 'Nacionalidade', value: '{{aluno.nacionalidade}}' },
        { label: 'Naturalidade', value: '{{aluno.naturalidade}}', span: 2 },
      ],
    },
    { kind: 'divider', color: 'accent', before: 2 },
    {
      ...fields,
      before: 2,
      rows: [
        { label: 'Curso', value: '**{{curso.nome}}**', span: 2 },
        { label: 'Código e-MEC do curso', value: '{{curso.codigoEmec}}' },
        { label: 'Currículo', value: '{{historico.curriculo}}' },
        { label: 'Curso sem código e-MEC', value: '{{curso.processoEmec}}', span: 4 },
        { label: 'Habilitações', value: '{{curso.habilitacoes}}', span: 4 },
        { label: 'Autorização', value: '{{curso.autorizacao}}', span: 2 },
        { label: 'Reconhecimento', value: '{{curso.reconhecimento}}', span: 2 },
        { label: 'Renovação de reconhecimento', value: '{{curso.renovacao}}', span: 4 },
        { label: 'Ingresso', value: '{{historico.ingresso}}' },
        { label: 'Forma de acesso', value: '{{historico.formaAcesso}}' },
        { label: 'Carga horária do curso', value: '{{historico.cargaHoraria}}' },
        { label: 'Carga horária integralizada', value: '{{historico.cargaIntegralizada}}' },
        { label: 'Situação atual', value: '{{historico.situacao}}{{?historico.periodo}} ({{historico.periodo}}){{/}}' },
        { label: 'Conclusão do curso', value: '{{historico.conclusao}}' },
        { label: 'Colação de grau', value: '{{historico.colacao}}' },
        { label: 'Expedição do diploma', value: '{{historico.expedicao}}' },
      ],
    },
  ],
  running: '{{ies.nome}} · Histórico escolar de {{aluno.nome}}',
  sections: [
    {
      title: 'Unidades curriculares',
      table: 'disciplinas',
      group: 'periodo',
      columns: [
        { column: 'codigo', share: 10 },
        { column: 'nome', share: 30 },
        { column: 'cargaHoraria', share: 12, align: 'right' },
        { column: 'nota', share: 7, align: 'right' },
        { column: 'situacao', share: 20 },
        { column: 'docentes', share: 27 },
      ],
    },
    {
      title: 'Estágios',
      table: 'estagios',
      columns: [
        { column: 'codigo', share: 10 },
        { column: 'periodo', share: 20 },
        { column: 'nome', share: 35 },
        { column: 'cargaHoraria', share: 12, align: 'right' },
        { column: 'docentes', share: 27 },
      ],
    },
    {
      title: 'Atividades complementares',
      table: 'atividades',
      columns: [
        { column: 'codigo', share: 10 },
        { column: 'periodo', share: 20 },
        { column: 'nome', share: 35 },
        { column: 'cargaHoraria', share: 12, align: 'right' },
        { column: 'docentes', share: 27 },
      ],
    },
    {
      title: 'Situação por período letivo',
      table: 'situacoes',
      columns: [
        { column: 'periodo', share: 20 },
        { column: 'situacao', share: 80 },
      ],
    },
    {
      title: 'ENADE',
      table: 'enade',
      columns: [
        { column: 'edicao', share: 12 },
        { column: 'condicao', share: 20 },
        { column: 'situacao', share: 20 },
        { column: 'motivo', share: 48 },
      ],
    },
  ],
  closing: [
    ...additional,
    {
      kind: 'text',
      text: '{{?ies.municipio}}{{ies.municipio}}, {{/}}{{historico.emissao}}.',
      align: 'right',
      size: 10.5,
      before: 5,
    },
    { kind: 'signatures', font: 'serif', size: 9.5, room: 12, note: 'assinado digitalmente' },
  ],
  verification: verification('este histórico'),
  footer: 'Código de validação {{codigo}} · emitido em {{historico.emissaoCurta}} · página {{pagina}} de {{paginas}}',
}

/** A curriculum on A4 upright, its units by area. */
export const defaultCurriculumTemplate: SheetTemplate = {
  kind: 'curriculum',
  ...common,
  head: [
    ...head('Currículo Escolar'),
    {
      ...fields,
      before: 4,
      rows: [
        { label: 'Curso', value: '**{{curso.nome}}**', span: 2 },
        { label: 'Código e-MEC do curso', value: '{{curso.codigoEmec}}' },
        { label: 'Código do currículo', value: '**{{curriculo.codigo}}**' },
        { label: 'Curso sem código e-MEC', value: '{{curso.processoEmec}}', span: 4 },
        { label: 'Habilitações', value: '{{curso.habilitacoes}}', span: 4 },
        { label: 'Autorização', value: '{{curso.autorizacao}}', span: 2 },
        { label: 'Reconhecimento', value: '{{curso.reconhecimento}}', span: 2 },
        { label: 'Renovação de reconhecimento', value: '{{curso.renovacao}}', span: 4 },
        { label: 'Data do currículo', value: '{{curriculo.dataCurta}}' },
        { label: 'Hora-aula em minutos de relógio', value: '{{curriculo.minutosHoraAula}}' },
        { label: 'Unidades curriculares', value: '{{curriculo.unidades}}' },
        { label: 'As áreas chamam-se', value: '{{curriculo.nomeParaAreas}}' },
      ],
    },
  ],
  running: '{{ies.nome}} · Currículo {{curriculo.codigo}} de {{curso.nome}}',
  sections: [
    {
      title: 'Unidades curriculares',
      table: 'unidades',
      group: 'area',
      columns: [
        { column: 'codigo', share: 11 },
        { column: 'nome', share: 32 },
        { column: 'tipo', share: 15 },
        { column: 'fase', share: 7 },
        { column: 'horaAula', share: 11, align: 'right' },
        { column: 'horaRelogio', share: 13, align: 'right' },
        { column: 'etiquetas', share: 17 },
        { column: 'preRequisitos', share: 15 },
      ],
    },
    {
      title: 'Atividades complementares',
      table: 'atividades',
      group: 'categoria',
      columns: [
        { column: 'codigo', share: 12 },
        { column: 'nome', share: 70 },
        { column: 'limite', share: 14, align: 'right' },
      ],
    },
    {
      title: 'Critérios de integralização',
      table: 'criterios',
      columns: [
        { column: 'codigo', share: 14 },
        { column: 'abrangencia', share: 46 },
        { column: 'minima', share: 13, align: 'right' },
        { column: 'maxima', share: 13, align: 'right' },
        { column: 'total', share: 14, align: 'right' },
      ],
    },
    {
      title: 'Etiquetas',
      table: 'etiquetas',
      columns: [
        { column: 'codigo', share: 14 },
        { column: 'nome', share: 86 },
      ],
    },
  ],
  closing: [
    ...additional,
    {
      kind: 'text',
      text: '{{?ies.municipio}}{{ies.municipio}}, {{/}}{{curriculo.data}}.',
      align: 'right',
      size: 10.5,
      before: 5,
    },
    { kind: 'signatures', font: 'serif', size: 9.5, room: 12, note: 'assinado digitalmente' },
  ],
  verification: verification('este currículo'),
  footer: 'Código de validação {{codigo}} · página {{pagina}} de {{paginas}}',
}
