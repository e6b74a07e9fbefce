declare module 'virtual:mantine-variables.css'
declare module '*.css'
