import type { HolderView } from '@chancela/demo/contract'
import { Table } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../shared/clipboard/copy-button.tsx'
import { Secret } from '../../shared/secret/secret.tsx'
import { Breakable } from '../breakable.tsx'
import { homeTexts } from '../texts/home-texts.ts'
import { formatCpf } from './format-cpf.ts'
import classes from './identity-section.module.css'

type Column = Exclude<keyof HolderView, 'name'>

/** The content of each column; the table and the cards are rendered from it. */
const columns: Record<Column, (props: { holder: HolderView }) => ReactNode> = {
  cpf: Cpf,
  pin: Pin,
  email: Email,
  custody: Custody,
  pkcs12: Pkcs12,
}
const columnNames = Object.keys(columns) as Column[]

/** A table where there is room, else a card per holder: six columns do not fit a phone. */
export function Holders({ holders }: { holders: readonly HolderView[] }) {
  const roomForTable = useMediaQuery('(min-width: 68em)', true, { getInitialValueInEffect: false })
  return roomForTable ? <HolderTable holders={holders} /> : <HolderCards holders={holders} />
}

function HolderTable({ holders }: { holders: readonly HolderView[] }) {
  const { t } = useTranslation('home')
  return (
    <div className={classes.frame}>
      <Table aria-label={t('identities.table')} verticalSpacing="xs" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('identities.name')}</Table.Th>
            {columnNames.map((column) => (
              <Table.Th key={column} scope="col">
                {t(`identities.${column}`)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {holders.map((holder) => (
            <HolderRow key={holder.pkcs12} holder={holder} />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

function HolderRow({ holder }: { holder: HolderView }) {
  return (
    <Table.Tr>
      <Table.Th scope="row">{holder.name}</Table.Th>
      {columnNames.map((column) => (
        <Table.Td key={column}>
          <Cell column={column} holder={holder} />
        </Table.Td>
      ))}
    </Table.Tr>
  )
}

function HolderCards({ holders }: { holders: readonly HolderView[] }) {
  return (
    <ul className={classes.cards}>
      {holders.map((holder) => (
        <HolderCard key={holder.pkcs12} holder={holder} />
      ))}
    </ul>
  )
}

function HolderCard({ holder }: { holder: HolderView }) {
  const { t } = useTranslation('home')
  return (
    <li className={classes.card}>
      <h3>{holder.name}</h3>
      <dl>
        {columnNames.map((column) => (
          <div key={column} className={classes.cardFact}>
            <dt>{t(`identities.${column}`)}</dt>
            <dd>
              <Cell column={column} holder={holder} />
            </dd>
          </div>
        ))}
      </dl>
    </li>
  )
}

function Cell({ column, holder }: { column: Column; holder: HolderView }) {
  const Content = columns[column]
  return <Content holder={holder} />
}

function Cpf({ holder }: { holder: HolderView }) {
  const { t } = useTranslation('home')
  return (
    <span className={classes.pair}>
      <span className={classes.digits}>{formatCpf(holder.cpf)}</span>
      {/* The services take the bare digits. */}
      <CopyButton text={holder.cpf} what={t('what.cpf', { name: holder.name })} />
    </span>
  )
}

function Pin({ holder }: { holder: HolderView }) {
  const { t } = useTranslation('home')
  return <Secret value={holder.pin} what={t('what.pin', { name: holder.name })} />
}

function Email({ holder: { email } }: { holder: HolderView }) {
  return (
    <span className={classes.value}>
      <Breakable text={email} before="@" />
    </span>
  )
}

function Custody({ holder: { custody } }: { holder: HolderView }) {
  const { t } = useTranslation('home')
  return isKnownCustody(custody) ? t(`custody.${custody}`) : custody
}

const isKnownCustody = (custody: string): custody is keyof (typeof homeTexts)['en-US']['custody'] =>
  Object.hasOwn(homeTexts['en-US'].custody, custody)

function Pkcs12({ holder }: { holder: HolderView }) {
  const { t } = useTranslation('home')
  return (
    <span className={classes.pair}>
      <code className={classes.value}>
        <Breakable text={holder.pkcs12} before="/" />
      </code>
      <CopyButton text={holder.pkcs12} what={t('what.pkcs12', { name: holder.name })} />
    </span>
  )
}
