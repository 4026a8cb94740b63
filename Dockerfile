# The image of Octavo; docs/guides/deployment.md explains it. Node 24 is the image's own, so the npm package of it is left out.
FROM node:24-slim AS console
WORKDIR /opt/octavo
COPY package.json package-lock.json ./
COPY packages ./packages
COPY apps ./apps
# The bundler's native parts are optional packages.
RUN npm ci --ignore-scripts && node apps/console/scripts/build.js

FROM node:24-slim
WORKDIR /opt/octavo
COPY package.json package-lock.json ./
COPY packages ./packages
COPY apps/console/package.json ./apps/console/
COPY --from=console /opt/octavo/packages/server/assets ./packages/server/assets
RUN npm ci --omit=dev --omit=optional --ignore-scripts \
  && npm cache clean --force \
  && mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 9200
# The address is not loopback, so the server does not start without a key (docs/guides/deployment.md).
ENV OCTAVO_HOST=0.0.0.0 OCTAVO_DATA=/data
# Memory of finished merges goes back to the system (docs/guides/deployment.md).
ENV MALLOC_MMAP_THRESHOLD_=131072
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD node -e "fetch('http://127.0.0.1:9200/api/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"
ENTRYPOINT ["node", "packages/server/bin/octavo.js"]
CMD ["serve"]
