import { createTheme, type MantineThemeOverride } from '@mantine/core'

/** What Mantine is told; colours beyond the accent come from `tokens.css`, by way of `mantine.css`. */
export const theme: MantineThemeOverride = createTheme({
  primaryColor: 'kelp',
  primaryShade: { light: 7, dark: 4 },
  colors: {
    kelp: [
      '#e9f4f5',
      '#d3e8ea',
      '#a9d3d7',
      '#7cbcc2',
      '#4fc3c9',
      '#2a949c',
      '#137f88',
      '#0b6a72',
      '#085a61',
      '#06474d',
    ],
  },
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "'JetBrains Mono Variable', ui-monospace, monospace",
  defaultRadius: 'md',
  radius: { xs: '3px', sm: '4px', md: '6px', lg: '8px', xl: '10px' },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  fontSizes: { xs: '11px', sm: '12px', md: '13px', lg: '15px', xl: '20px' },
  lineHeights: { xs: '16px', sm: '16px', md: '20px', lg: '22px', xl: '28px' },
  respectReducedMotion: true,
  focusRing: 'never',
})
