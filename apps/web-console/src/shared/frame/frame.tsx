import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { type LucideIcon, Menu, X } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useProduct } from '../bundle.ts'
import { NoticesProvider } from '../parts/notices.tsx'
import { Seal } from '../seal.tsx'
import classes from './frame.module.css'

export interface PageLink {
  readonly to: string
  readonly label: string
  readonly icon: LucideIcon
  /** Whether the link is active on its own page only, not on those below it. */
  readonly exact?: boolean
}

export interface FrameProps {
  links: readonly PageLink[]
  /** Beside the mark of the product. */
  logo?: ReactNode
  /** At the end of the bar. */
  marks?: ReactNode
  /** Language, colours: in the bar where there is room, in the menu where there is none. */
  switches: ReactNode
  /** At the end of the menu. */
  visitor: ReactNode
  /** Above the page. */
  banner?: ReactNode
}

/** The frame around every page of a signed-in user. */
export function Frame({ links, logo, marks, switches, visitor, banner }: FrameProps) {
  const { t } = useTranslation()
  const [menuOpen, setMenuOpen] = useState(false)
  const path = useLocation({ select: ({ pathname }) => pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a menu that stays open would hide the page it led to
  useEffect(() => setMenuOpen(false), [path])
  const MenuIcon = menuOpen ? X : Menu
  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#content">
        {t('skipToContent')}
      </a>
      <header className={classes.bar}>
        <button
          type="button"
          className={classes.menuButton}
          aria-expanded={menuOpen}
          aria-controls="menu"
          aria-label={t('nav.menu')}
          onClick={() => setMenuOpen(!menuOpen)}
        >
          <MenuIcon size={20} aria-hidden="true" />
        </button>
        <Brand />
        {logo}
        <div className={classes.barEnd}>
          {marks}
          <div className={classes.wideOnly}>{switches}</div>
        </div>
      </header>
      <aside id="menu" className={classes.side} aria-label={t('nav.menu')} data-open={menuOpen || undefined}>
        <PageLinks links={links} />
        <div className={classes.narrowOnly}>{switches}</div>
        {visitor}
      </aside>
      <NoticesProvider>
        {(notice) => (
          <main id="content" className={classes.main} tabIndex={-1}>
            {banner}
            {notice}
            <Outlet />
          </main>
        )}
      </NoticesProvider>
    </div>
  )
}

/** The product's mark and name; links to the first page. */
function Brand() {
  const product = useProduct()
  return (
    <Link to="/" className={classes.brand!}>
      <Seal size={32} />
      <span className={classes.brandText}>
        <span translate="no">Chancela</span>
        <span className={classes.product}>{product}</span>
      </span>
    </Link>
  )
}

/** Links to every page. */
function PageLinks({ links }: { links: readonly PageLink[] }) {
  const { t } = useTranslation()
  return (
    <nav aria-label={t('nav.label')}>
      <ul className={classes.links}>
        {links.map(({ to, label, icon: Icon, exact = false }) => (
          <li key={to}>
            <Link to={to} className={classes.link!} activeOptions={{ exact, includeSearch: false }}>
              <Icon size={18} aria-hidden="true" />
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
