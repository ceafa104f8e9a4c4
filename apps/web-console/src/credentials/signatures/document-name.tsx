import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { WaitingDocument, XmlDocument } from '../api/types.ts'
import { type ItemResource, itemKinds } from '../items/item-kinds.ts'
import parts from '../parts/parts.module.css'

type Named = Pick<WaitingDocument, 'ownerKind' | 'ownerId' | 'documentKind' | 'title'>

const resources = Object.keys(itemKinds) as ItemResource[]

/** What a document is about, with the way to its page where its kind has one. */
export function DocumentName({ document: { ownerKind, ownerId, documentKind, title } }: { document: Named }) {
  const { t } = useTranslation('credentials-items')
  const resource = resources.find((one) => itemKinds[one].entity === ownerKind)
  return (
    <span className={parts.stack}>
      {resource ? (
        <Link to={`/${resource}/$id`} params={{ id: ownerId }}>
          {title}
        </Link>
      ) : (
        title
      )}
      <span className={parts.small}>{t(`signing.document.${documentKind as XmlDocument['documentKind']}`)}</span>
    </span>
  )
}
