import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { ForwardedForm } from '../../server/kit/request.ts'
import { freePort } from '../support/free-port.ts'
import { unprivilegedAccount } from '../support/postgres-server.ts'

/** What a proxy is configured with: its own port, that of the server, and the folder with its certificates. */
type Place = { readonly port: number; readonly server: string; readonly folder: string }

/** A proxy that ends TLS, and how it forwards certificates. */
export type TlsProxy = {
  readonly program: string
  /** The argument with which it exits at once. */
  readonly versionFlag: string
  readonly form: ForwardedForm
  /** Whether it forwards the intermediates that its client has sent. */
  readonly forwardsChain: boolean
  readonly configFile: string
  config(place: Place): string
  args(config: string, folder: string): readonly string[]
}

const nginx: TlsProxy = {
  program: 'nginx',
  versionFlag: '-v',
  form: 'pem',
  forwardsChain: false,
  configFile: 'nginx.conf',
  args: (config, folder) => ['-c', config, '-p', folder, '-e', 'stderr'],
  config: ({ port, server, folder }) => `daemon off;
master_process off;
pid ${folder}/nginx.pid;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  server {
    listen 127.0.0.1:${port} ssl;
    ssl_certificate ${folder}/server.pem;
    ssl_certificate_key ${folder}/server-key.pem;
    ssl_verify_client optional_no_ca;
    location / {
      proxy_pass http://${server};
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header X-SSL-Client-Cert $ssl_client_escaped_cert;
    }
  }
}
`,
}

const haproxy: TlsProxy = {
  program: 'haproxy',
  versionFlag: '-v',
  form: 'rfc9440',
  forwardsChain: false,
  configFile: 'haproxy.cfg',
  args: (config) => ['-db', '-f', config],
  config: ({ port, server, folder }) => `defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
frontend clients
  bind 127.0.0.1:${port} ssl crt ${folder}/both.pem ca-file ${folder}/clients-ca.pem verify optional ca-ignore-err all crt-ignore-err all
  http-request del-header Client-Cert
  http-request del-header Client-Cert-Chain
  http-request set-header Client-Cert ":%[ssl_c_der,base64]:" if { ssl_c_used }
  default_backend holdfast
backend holdfast
  server holdfast ${server}
`,
}

const apache: TlsProxy = {
  program: 'apache2',
  versionFlag: '-v',
  form: 'pem',
  forwardsChain: false,
  configFile: 'apache.conf',
  args: (config) => ['-X', '-f', config],
  config: ({ port, server, folder }) => `ServerRoot ${folder}
DefaultRuntimeDir ${folder}
PidFile ${folder}/apache.pid
ErrorLog ${folder}/error.log
ServerName 127.0.0.1
Listen 127.0.0.1:${port}
${['mpm_event', 'authz_core', 'headers', 'proxy', 'proxy_http', 'socache_shmcb', 'ssl']
  .map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`)
  .join('\n')}
SSLEngine on
SSLCertificateFile ${folder}/server.pem
SSLCertificateKeyFile ${folder}/server-key.pem
SSLVerifyClient optional_no_ca
RequestHeader set X-SSL-Client-Cert "%{SSL_CLIENT_CERT}s"
ProxyPass / http://${server}/
`,
}

const caddy: TlsProxy = {
  program: 'caddy',
  versionFlag: 'version',
  form: 'pem',
  forwardsChain: false,
  configFile: 'Caddyfile',
  args: (config) => ['run', '--adapter', 'caddyfile', '--config', config],
  config: ({ port, server, folder }) => `{
  admin off
  auto_https off
  default_bind 127.0.0.1
  storage file_system ${folder}
}
https://:${port} {
  tls ${folder}/server.pem ${folder}/server-key.pem {
    client_auth {
      mode request
    }
  }
  reverse_proxy ${server} {
    header_up X-SSL-Client-Cert {http.request.tls.client.certificate_der_base64}
  }
}
`,
}

const envoy: TlsProxy = {
  program: 'envoy',
  versionFlag: '--version',
  form: 'xfcc',
  forwardsChain: true,
  configFile: 'envoy.yaml',
  args: (config) => ['-c', config, '--concurrency', '1', '--disable-hot-restart', '--log-level', 'error'],
  config: ({ port, server, folder }) => {
    const [address, serverPort] = server.split(':')
    return `static_resources:
  listeners:
    - address: { socket_address: { address: 127.0.0.1, port_value: ${port} } }
      filter_chains:
        - transport_socket:
            name: tls
            typed_config:
              "@type": type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext
              common_tls_context:
                tls_certificates:
                  - certificate_chain: { filename: ${folder}/server.pem }
                    private_key: { filename: ${folder}/server-key.pem }
                validation_context:
                  trusted_ca: { filename: ${folder}/clients-ca.pem }
                  trust_chain_verification: ACCEPT_UNTRUSTED
          filters:
            - name: http
              typed_config:
                "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
                stat_prefix: holdfast
                use_remote_address: true
                forward_client_cert_details: SANITIZE_SET
                set_current_client_cert_details: { cert: true, chain: true, subject: true, uri: true, dns: true }
                http_filters:
                  - name: router
                    typed_config:
                      "@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router
                route_config:
                  virtual_hosts:
                    - name: holdfast
                      domains: ["*"]
                      routes:
                        - match: { prefix: / }
                          route: { cluster: holdfast }
  clusters:
    - name: holdfast
      type: STATIC
      load_assignment:
        cluster_name: holdfast
        endpoints:
          - lb_endpoints:
              - endpoint:
                  address: { socket_address: { address: ${address}, port_value: ${serverPort} } }
`
  },
}

/** The proxies that are tried, each with the form that it can send by itself. */
export const proxies: readonly TlsProxy[] = [nginx, haproxy, apache, caddy, envoy]

/** What a proxy shows its clients, and whose certificates they have. */
export type ProxyFiles = { readonly cert: string; readonly key: string; readonly clientCa: string }

/** Starts a proxy in front of a server for one test; answers its port. */
export async function startProxy(
  proxy: TlsProxy,
  serverUrl: string,
  { cert, key, clientCa }: ProxyFiles,
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-proxy-'))
  // Some refuse to work as root, and others give it up on their own.
  chmodSync(folder, 0o777)
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  write('server.pem', cert)
  write('server-key.pem', key)
  write('both.pem', cert + key)
  write('clients-ca.pem', clientCa)
  const port = await freePort()
  const config = write(proxy.configFile, proxy.config({ port, server: new URL(serverUrl).host, folder }))
  const child = spawn(proxy.program, proxy.args(config, folder), {
    ...unprivilegedAccount(),
    cwd: folder,
    env: { ...process.env, HOME: folder },
    stdio: 'ignore',
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close')
    rmSync(folder, { recursive: true })
  })
  await expect.poll(() => accepts(port)).toBe(true)
  return port
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
