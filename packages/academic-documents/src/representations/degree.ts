import { degreeTags } from './contents/degree-tags.ts'
import type { DegreeData } from './contents/shapes.ts'
import { PdfADocument } from './document.ts'
import { drawPreviewMark } from './preview.ts'
import { checkedPublication, type RepresentationInput } from './publication.ts'
import { defaultDegreeTemplate } from './templates/default-degree.ts'
import { checkDegreeTemplate } from './templates/degree-template.ts'
import { drawBlocks } from './templates/draw-blocks.ts'
import { settingOf } from './templates/setting.ts'

/** The visual representation of a degree (RVDD) as PDF/A-1b. The same input gives the same bytes. */
export function representDegree(input: RepresentationInput<DegreeData>): Buffer {
  const template = input.template === undefined ? defaultDegreeTemplate : checkDegreeTemplate(input.template)
  const publication = checkedPublication(input)
  const document = new PdfADocument()
  const setting = settingOf(
    document,
    template,
    degreeTags,
    { ...input.data, publication },
    {
      url: publication.url,
      signatories: input.signatories ?? [],
    },
  )
  for (const blocks of [template.front, template.back]) {
    const page = document.addPage(template.page)
    if (input.isPreview) drawPreviewMark(page, document)
    drawBlocks(page, blocks, setting)
  }
  const { diplomado, dadosCurso, iesEmissora } = input.data.dadosDiploma
  return document.finish({
    title: `Diploma – ${diplomado.nomeSocial ?? diplomado.nome}`,
    author: iesEmissora.nome,
    subject: `Representação visual do diploma digital de ${dadosCurso.nomeCurso}, código de validação ${publication.code}`,
    madeAt: input.madeAt,
  })
}
